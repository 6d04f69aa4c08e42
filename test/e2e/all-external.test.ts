import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { richKey } from '../support/anvil.js';
import { hasNoGeth, startGeth } from '../support/geth.js';
import { hasNoKubo, startKubo } from '../support/kubo.js';
import { freePortBase } from '../support/port-base.js';
import { doesItsWork } from './fixtures/scenario.js';
import { createStackCli } from './fixtures/stack-cli.js';

/** The address of the key that pays. */
const rich = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

describe.skipIf(hasNoGeth || hasNoKubo)('a stack with nothing but its nodes (needs geth and Kubo)', () => {
  test('does all of its work on geth with blocks each second and three confirmations, and with Kubo', async () => {
    const [geth, kubo] = [await startGeth(rich), await startKubo()];
    onTestFinished(() => geth.stop());
    onTestFinished(() => kubo.remove());
    const cli = createStackCli('default');
    onTestFinished(() => cli.remove());
    const funder = join(cli.directory, 'funder');
    await writeFile(funder, `${richKey}\n`, { mode: 0o600 });
    const settings = [`chain.funder=file:${funder}`, `chain.ws=${geth.ws}`, `store.gateway=${kubo.gateway}`];
    const sets = [...settings, 'chain.confirmations=3'].flatMap((each) => ['--set', each]);
    const engines = ['--chain', geth.url, '--store', kubo.api];
    await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), ...engines, ...sets);
    await cli.ok('config', 'validate', '--online', '-s', 'dev');
    await cli.ok('start', 'dev', '-q', '--timeout', '2m');
    await doesItsWork(cli);
  });
});
