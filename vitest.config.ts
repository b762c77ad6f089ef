import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const specs = ['libs/**/*.spec.ts', 'apps/**/*.spec.ts', 'scripts/**/*.spec.ts', 'test/support/**/*.spec.ts', 'test/simulation/**/*.spec.ts'];
const needsServices = ['**/*.int.spec.ts'];
const always = ['**/node_modules/**', '**/dist/**', 'bench/peers/**'];

/**
 * Everything but `unit` finds DATABASE_URL and REDIS_URL set: by scripts/test.mjs, by the caller, or else by the set-up,
 * which starts throwaway servers. A file of those projects makes itself a database of its own.
 */
const project = (name: string, include: string[], more: { exclude?: string[]; seconds: number; services: boolean; serial?: boolean }): TestProjectConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude: [...always, ...(more.exclude ?? [])],
    testTimeout: more.seconds * 1_000,
    hookTimeout: 60_000,
    globalSetup: more.services ? ['./scripts/services/vitest-services.mjs'] : [],
    fileParallelism: !more.serial,
  },
});

export default defineConfig({
  resolve: { tsconfigPaths: true },
  // Nest reads constructor parameter types at run time.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  test: {
    pool: 'forks',
    // isolated-vm cannot start from Node's start-up snapshot.
    execArgv: ['--no-node-snapshot'],
    passWithNoTests: true,
    projects: [
      project('unit', specs, { exclude: needsServices, seconds: 10, services: false }),
      project('int', ['libs/**/*.int.spec.ts', 'apps/**/*.int.spec.ts'], { seconds: 30, services: true }),
      project('e2e', ['test/e2e/**/*.spec.ts', 'test/conformance/**/*.spec.ts', 'examples/**/*.spec.ts', 'bench/**/*.spec.ts'], { seconds: 90, services: true, serial: true }),
      project('chaos', ['test/chaos/**/*.spec.ts'], { seconds: 300, services: true, serial: true }),
    ],
  },
});
