/**
 * Bundles each process to one file in dist/: start-up reads one file instead of a thousand, and the path
 * aliases of tsconfig.json are resolved once. Packages stay outside and are loaded from node_modules.
 */
import { builtinModules } from 'node:module';

const builtin = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
/** Ours, and the helpers that the compiler itself supplies for decorators: everything else stays outside. */
const inside = ['.', '/', '@app/', '\0', '@oxc-project/runtime'];
const isExternal = (id) => builtin.has(id) || !inside.some((start) => id.startsWith(start));

const program = (name, input) => ({
  input: { [name]: input },
  platform: 'node',
  external: isExternal,
  tsconfig: './tsconfig.json',
  output: { dir: 'dist', format: 'esm', entryFileNames: '[name].js', sourcemap: true, codeSplitting: false },
});

export default [
  // What runs inside the isolate: no packages outside, no platform.
  {
    input: { 'sandbox-guest': 'libs/expressions/src/sandbox/guest.ts' },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    tsconfig: './tsconfig.json',
    output: { dir: 'dist', format: 'iife', name: 'argosyGuest', entryFileNames: '[name].js', minify: true },
  },
  program('api', 'apps/api/src/main.ts'),
  program('worker', 'apps/worker/src/main.ts'),
  program('cli', 'apps/cli/src/main.ts'),
];
