import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let source: Promise<string> | undefined;

/** The bundle of the sandbox, built in memory as rolldown.config.mjs builds it into dist/. */
export function guestSource(): Promise<string> {
  source ??= build();
  return source;
}

async function build(): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: { 'sandbox-guest': 'libs/expressions/src/sandbox/guest.ts' },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    tsconfig: './tsconfig.json',
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'argosyGuest', minify: true });
  await bundle.close();
  return output[0].code;
}
