import { spawn } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findEngine } from '../../support/engines.js';
import { freePortBase } from '../../support/port-base.js';
import { isRequired } from '../../support/services.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** FireFly's own end-to-end tests of core 1.4, with `ff` on PATH, on a stack created by `stack init --firefly`. */

const path = 'firefly-suites-1.4.0/test/e2e/runners/runners.test';
const suites = findEngine('firefly-suites', path);
const cli = createStackCli('default');
const programs = join(cli.directory, 'programs');

/** Tests that are not run, with the reason by name. */
const notRun: Readonly<Record<string, string>> = {
  TestE2EWebhookExchange: 'it calls a server on the internet',
  TestE2EWebhookRequestReplyNoTx: 'it calls a server on the internet',
  TestCustomContractWithMessage: 'its contract pins for its caller (docs/firefly.md)',
  TestContractMigration: 'it writes the configuration of FireFly’s program',
  TestMultiTenancy: 'it writes the configuration of FireFly’s program',
  TestTokensOnlyNamespaces: 'it writes the configuration of FireFly’s program',
};

/** Runs a suite; resolves with the results of its tests, and with all its output. */
function run(suite: string): Promise<{ readonly passed: string[]; readonly failed: string[]; readonly said: string }> {
  const skipped = `/^(${Object.keys(notRun).join('|')})$`;
  const child = spawn(suites ?? '', ['-test.v', '-test.run', `^${suite}$`, '-test.skip', skipped], {
    cwd: dirname(suites ?? ''),
    env: {
      ...cli.environment,
      PATH: [programs, process.env['PATH'] ?? ''].join(delimiter),
      STACK_DIR: join(cli.directory, 'home', 'stacks', 'ff', 'firefly'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const named = (word: string) =>
    [...said.matchAll(new RegExp(`--- ${word}: ${suite}/(\\S+)`, 'g'))].map(([, name]) => name ?? '');
  return new Promise((resolve) => {
    child.once('close', () => resolve({ passed: named('PASS').sort(), failed: named('FAIL'), said }));
  });
}

describe.skipIf(suites === undefined && !isRequired('firefly-suites'))(
  'FireFly’s suites (needs firefly-suites)',
  () => {
    beforeAll(async () => {
      if (suites === undefined) throw new Error(`No suites: put them below $PARLEY_ENGINES as ${path}.`);
      await mkdir(programs);
      await symlink(fileURLToPath(new URL('../../../scripts/ff', import.meta.url)), join(programs, 'ff'));
      await cli.ok('init', 'ff', '--firefly', '--parties', '2', '--port-base', await freePortBase(), '-q', '-y');
      await cli.ok('start', 'ff', '-q');
    });
    afterAll(() => cli.remove());

    test('of several parties pass unchanged', { timeout: 240_000 }, async () => {
      const { passed, failed, said } = await run('TestEthereumMultipartyE2ESuite');
      expect(failed, said.slice(-20_000)).toEqual([]);
      expect(passed).toEqual([
        'TestContractAPIMethod',
        'TestContractPublish',
        'TestCustomChildIdentityBroadcasts',
        'TestCustomChildIdentityPrivate',
        'TestDirectInvokeMethod',
        'TestE2EBroadcast',
        'TestE2EBroadcastBlob',
        'TestE2EFungibleTokensAsync',
        'TestE2ENonFungibleTokensSync',
        'TestE2EPrivate',
        'TestE2EPrivateBlobDatatypeTagged',
        'TestE2ETokenPoolPublish',
        'TestFFIInvokeMethod',
        'TestInvalidIdentityAlreadyRegistered',
        'TestStrongDatatypesBroadcast',
        'TestStrongDatatypesPrivate',
        'TestTokensWithInterface',
      ]);
    });

    test('of one party pass unchanged', { timeout: 240_000 }, async () => {
      const { passed, failed, said } = await run('TestEthereumGatewayE2ESuite');
      expect(failed, said.slice(-20_000)).toEqual([]);
      expect(passed).toEqual([
        'TestContractAPIMethod',
        'TestDirectInvokeMethod',
        'TestDirectInvokeMethod#01',
        'TestE2EFungibleTokensAsync',
        'TestFFIInvokeMethod',
        'TestRevertTransitionsToFailed',
      ]);
    });
  },
);
