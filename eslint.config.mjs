import tseslint from 'typescript-eslint';

/** The architecture: which of our libraries a library may import. Add an arrow here only with a decision record. */
const layers = {
  engine: [],
  config: [],
  telemetry: [],
  expressions: ['engine'],
  nodes: ['engine'],
  dialects: ['engine'],
  store: ['engine', 'telemetry'],
  dispatch: ['engine', 'telemetry'],
};

const layerRules = Object.entries(layers).map(([lib, allowed]) => ({
  files: [`libs/${lib}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@app/(?!(${[lib, ...allowed].join('|')})(/testing/.*)?$)`,
            message: `libs/${lib} may import ${allowed.length > 0 ? allowed.map((name) => `@app/${name}`).join(' and ') : 'no other library of ours'}. Only an app knows two libraries at once.`,
          },
          { regex: '^(\\.\\./)+(libs/)?(engine|config|telemetry|expressions|nodes|dialects|store|dispatch)/src', message: 'index.ts is the door of a library: import @app/<name>.' },
        ],
      },
    ],
  },
}));

const everywhere = [
  { selector: 'ExportDefaultDeclaration', message: 'Export a name: it is found by searching, and the same at every place.' },
  { selector: 'ExportAllDeclaration', message: 'List what is exported: index.ts is the table of contents.' },
];
const impure = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: 'The engine gets its time as an argument.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'The engine gets its time as an argument.' },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: 'The engine is deterministic: randomness comes in as an argument.' },
];
const tests = ['**/*.spec.ts', '**/testing/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'];

export default tseslint.config(
  { ignores: ['dist/**', 'dist-next-*/**', 'node_modules/**', 'libs/store/src/generated/**', 'bench/peers/**', 'apps/dashboard/**', '.argosy/**'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser, parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A promise that nobody awaits loses its error, or the order of writes.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false, attributes: false, properties: false, returns: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      // What was caught may be thrown on.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true, allowRethrowing: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'warn',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'libs/config reads the environment; an app hands it over in main.ts.' }],
      'no-restricted-syntax': ['error', ...everywhere],
      // Look twice at 300, split by verb at 400.
      'max-lines': ['warn', 400],
    },
  },
  ...layerRules,
  { files: ['libs/engine/src/**/*.ts'], ignores: tests, rules: { 'no-restricted-syntax': ['error', ...everywhere, ...impure] } },
  { files: ['libs/config/src/**/*.ts', 'apps/*/src/main.ts', ...tests], rules: { 'no-restricted-properties': 'off' } },
  { files: tests, rules: { 'no-console': 'off', '@typescript-eslint/no-explicit-any': 'off' } },
  // "Needs the sandbox" is a signal that is thrown on the hot path, without the cost of a stack trace.
  { files: ['libs/expressions/src/**/*.ts'], rules: { '@typescript-eslint/only-throw-error': 'off' } },
  { files: ['libs/expressions/src/differential.spec.ts'], rules: { 'no-new-func': 'off' } },
  // The sandbox' guest runs inside the isolate: evaluating a user's code is what it is for.
  { files: ['libs/expressions/src/sandbox/guest*.ts'], rules: { 'no-new-func': 'off', 'no-eval': 'off' } },
  // Vitest and Prisma load their configuration from the default export.
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
