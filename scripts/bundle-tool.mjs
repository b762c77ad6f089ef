/** node scripts/bundle-tool.mjs <entry.ts> <out.js>: one file, written under another name and moved into place. */
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import configs from '../rolldown.config.mjs';
import { root } from './paths.mjs';

const [entry, out] = process.argv.slice(2);
const input = resolve(entry);
process.chdir(root);
// As deep as the final folder: source maps name their sources relative to the folder they were written to.
const next = join(dirname(dirname(out)), `.next-${process.pid}`);
await mkdir(next, { recursive: true });
await mkdir(dirname(out), { recursive: true });
try {
  // The rules for what stays outside are those of the programs in dist/.
  const { external, tsconfig } = configs.find(({ platform }) => platform === 'node');
  const bundled = await rolldown({ input: { tool: input }, platform: 'node', external, tsconfig, logLevel: 'silent' });
  await bundled.write({ dir: next, format: 'esm', entryFileNames: basename(out), sourcemap: true, codeSplitting: false });
  await bundled.close();
  for (const file of [basename(out), `${basename(out)}.map`]) await rename(join(next, file), join(dirname(out), file));
} finally {
  await rm(next, { recursive: true, force: true });
}
