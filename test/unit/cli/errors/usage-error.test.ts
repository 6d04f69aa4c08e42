import { Config } from '@oclif/core/config';
import { describe, expect, it } from 'vitest';
import Broadcast from '../../../../src/cli/commands/broadcast.js';
import Blocks from '../../../../src/cli/commands/chain/blocks.js';
import DatatypeValidate from '../../../../src/cli/commands/datatype/validate.js';
import Init from '../../../../src/cli/commands/init.js';
import Mint from '../../../../src/cli/commands/mint.js';
import PoolCreate from '../../../../src/cli/commands/pool/create.js';
import Send from '../../../../src/cli/commands/send.js';
import TemplateValidate from '../../../../src/cli/commands/template/validate.js';
import Tail from '../../../../src/cli/commands/events/tail.js';
import Transfer from '../../../../src/cli/commands/transfer.js';

const root = new URL('../../../../', import.meta.url).pathname;
const commands = {
  broadcast: Broadcast,
  init: Init,
  mint: Mint,
  send: Send,
  transfer: Transfer,
  'chain:blocks': Blocks,
  'datatype:validate': DatatypeValidate,
  'pool:create': PoolCreate,
  'events:tail': Tail,
  'template:validate': TemplateValidate,
};

/** Returns a command's message for arguments that its parser refuses. */
async function said(id: keyof typeof commands, ...words: readonly string[]): Promise<string> {
  const command = commands[id];
  const config = new Config({ root });
  await config.load();
  config.bin = 'stack';
  command.id = id;
  const error: unknown = await command.run([...words], config).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'CliError', code: 'USAGE' });
  const { message = '', hint = '' } = error as { message?: string; hint?: string };
  return `${message} | ${hint}`;
}

describe('words that cannot be parsed', () => {
  it.each<[keyof typeof commands, string[], string]>([
    ['mint', [], 'Missing: AMOUNT (whole number). | See stack mint --help.'],
    ['mint', ['5', 'bob'], 'Unexpected: bob | Use flags for recipient and pool: --to bob, or --pool bob'],
    ['transfer', ['5'], 'Missing: --to (recipient: party, organisation, DID or address). | See stack transfer --help.'],
    [
      'send',
      ['x', '--to'],
      expect.stringMatching(/^--to needs a value \(party, .*\)\. \| See stack send --help\.$/) as string,
    ],
    [
      'broadcast',
      ['--text', '-please call'],
      '--text needs a value (another value: this string). | ' +
        "For a value that begins with -: stack broadcast '--text=-please call'",
    ],
    ['init', ['dev', '3'], 'Unexpected: 3 | For 3 parties: stack init dev -n 3'],
    ['init', ['ethereum', 'dev', '3'], 'Unexpected: dev 3 | For 3 parties: stack init dev -n 3 --firefly'],
    ['init', ['dev', 'three'], 'Unexpected: three | See stack init --help.'],
    ['transfer', ['list'], expect.stringMatching(/ \| Did you mean: stack transfers$/) as string],
    ['mint', ['ls'], '"ls" is not an amount. | Did you mean: stack transfers'],
    ['chain:blocks', ['--limit', '3'], expect.stringMatching(/— did you mean "--lines"\?/) as string],
    ['transfer', ['get', '4f'], expect.stringMatching(/ \| Did you mean: stack transfers get ID$/) as string],
    [
      'broadcast',
      ['x', '--tag', ''],
      '--tag is empty. Check that all variables in the command are set, or leave it out. | See stack broadcast --help.',
    ],
    ['mint', ['coins', '5'], 'Unexpected: 5 | The amount comes first: stack mint 5 --pool NAME'],
    [
      'transfer',
      ['5', 'bob', 'coins'],
      'Unexpected: bob coins | Use flags for recipient and pool: --to PARTY --pool NAME',
    ],
    [
      'send',
      ['bob', 'hello'],
      'Unexpected: hello | Recipients follow --to. Text with spaces is one payload in quotes: ' +
        "stack send --to bob 'hello world'",
    ],
    [
      'datatype:validate',
      ['order@1.0', '{order:', '17}'],
      `Unexpected: 17} | Text with spaces is one payload in quotes: stack datatype validate DATATYPE 'hello world'`,
    ],
    ['broadcast', ['x', '--yes'], 'There is no flag --yes. | See stack broadcast --help.'],
    ['broadcast', ['x', '--wait'], '--wait needs a value: none, local, all. | See stack broadcast --help.'],
    ['init', ['-n', '3', '-n', '4'], '--parties can be given only once. | See stack init --help.'],
    ['mint', ['5', '--pol', 'x'], 'There is no flag --pol — did you mean "--pool"? | See stack mint --help.'],
    [
      'init',
      ['dev', '--base-port', '1'],
      'There is no flag --base-port — did you mean "--port-base"? | See stack init --help.',
    ],
    ['init', ['dev', '--timeout', '5m'], '--timeout needs --start. | Add --start, or leave out --timeout.'],
    ['init', ['dev', '--progress', 'none'], '--progress needs --start. | Add --start, or leave out --progress.'],
    ['init', ['dev', '--xyzzy-plugh'], 'There is no flag --xyzzy-plugh. | See stack init --help.'],
    [
      'broadcast',
      ['hello', 'world'],
      `Unexpected: world | Text with spaces is one payload in quotes: stack broadcast 'hello world'`,
    ],
    ['pool:create', ['coins'], 'Missing: --type (fungible or nonfungible). | See stack pool create --help.'],
    [
      'pool:create',
      ['coins', '--type', 'fungable'],
      '--type must be one of fungible, nonfungible, not "fungable" — did you mean "fungible"? | ' +
        'See stack pool create --help.',
    ],
    [
      'events:tail',
      ['--count', '0'],
      '--count must be a whole number of at least 1, not "0". | See stack events tail --help.',
    ],
    ['events:tail', ['--count', 'x'], '--count must be a whole number, not "x". | See stack events tail --help.'],
    ['template:validate', ['ci', '--timeout', '5m'], '--timeout needs --start. | Add --start, or leave out --timeout.'],
    ['events:tail', ['--create'], '--create needs --durable. | Add --durable, or leave out --create.'],
  ])('%s %j', async (id, words, expected) => {
    expect(await said(id, ...words)).toEqual(expected);
  });
});
