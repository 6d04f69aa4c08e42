import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Rules for what the compiler does not find: floating promises, values of type any, incomplete switches. Prettier checks
 * the format, and `test/tidy.test.ts` the house rules.
 */
export default defineConfig(
  { ignores: ['dist/', 'ui/dist/', '/build/', 'coverage/', 'node_modules/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'contracts/*.ts', 'vitest.config.ts', 'ui/**/*.ts', 'ui/**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    // Two programs of the compiler, each built once, are faster than the project service (83 s instead of 98 s).
    languageOptions: {
      parserOptions: { project: ['tsconfig.json', 'ui/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Koa's next() and a narrowed generic class are any; other rules check their use.
      '@typescript-eslint/no-unsafe-return': 'off',
      // A method may be async only because its port is.
      '@typescript-eslint/require-await': 'off',
      // Parts are closures, whose methods do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      'array-callback-return': 'error',
      'no-constant-binary-expression': 'error',
      'no-self-compare': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Text from the network may reach the page only as text nodes, and never the address of a link.
    files: ['ui/src/**/*.ts', 'ui/src/**/*.tsx'],
    rules: {
      // Browsers ignore the return value of an event handler.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-syntax': [
        'error',
        ...[
          'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          'Property[key.name="dangerouslySetInnerHTML"]',
          'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
          'CallExpression[callee.object.name="document"][callee.property.name=/^write(ln)?$/]',
          'NewExpression[callee.name="Function"]',
          'CallExpression[callee.name="eval"]',
        ].map((selector) => ({ selector, message: 'Let React render text, as text nodes.' })),
      ],
    },
  },
  {
    // A test may access any member of parsed JSON: if one is missing, the test fails.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['bin/*.js', 'eslint.config.js'],
    extends: [tseslint.configs.base],
    rules: { eqeqeq: 'error', 'no-unused-vars': 'error' },
  },
);
