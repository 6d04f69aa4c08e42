import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * What the compiler does not see: promises that nobody awaits, values of no known type, switches that forgot a case.
 * Form is prettier's business, the house rules are those of `test/tidy.test.ts`.
 */
export default defineConfig(
  { ignores: ['dist/', 'ui/dist/', '/build/', 'coverage/', 'node_modules/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'contracts/*.ts', 'vitest.config.ts', 'ui/**/*.ts', 'ui/**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    // Programs as the compiler makes them, once each, take less time than the editor's service (98 → 83 s).
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
      // Koa's next() and a narrowed generic class are any; what is done with them is checked all the same.
      '@typescript-eslint/no-unsafe-return': 'off',
      // A method that is async because its port is, and needs no await itself, is right.
      '@typescript-eslint/require-await': 'off',
      // Parts are closures: their methods have no `this` to lose.
      '@typescript-eslint/unbound-method': 'off',
      'array-callback-return': 'error',
      'no-constant-binary-expression': 'error',
      'no-self-compare': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Text of the network reaches the page as text nodes only, and no address of a link is made of it.
    files: ['ui/src/**/*.ts', 'ui/src/**/*.tsx'],
    rules: {
      // What a handler of the browser's events returns is looked at by nobody.
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
        ].map((selector) => ({ selector, message: 'Text becomes text nodes: let React write them.' })),
      ],
    },
  },
  {
    // A test may look into parsed JSON as it likes: what is not there fails it.
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
