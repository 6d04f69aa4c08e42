import { deployFlags } from '../../chain/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class ChainDeploy extends BaseCommand {
  static override summary = 'Deploy a compiled contract through the node of a party.';
  static override description = [
    'FILE is what solc, Hardhat or Foundry have written. The words behind it are the arguments of the constructor:',
    'numbers in digits, addresses or the names of parties, lists and tuples as JSON. With --quiet only the address.',
    'Exit codes: 0 deployed, 5 time is up, 7 refused by the node or by the constructor.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> chain deploy Escrow.json',
    `<%= config.bin %> chain deploy Escrow.json bob 100 '["0x01"]' -p alice`,
    '<%= config.bin %> chain deploy combined.json --contract Escrow -q',
  ];
  static override usage = 'chain deploy FILE [ARGS]';
  static override strict = false;
  static override args = { FILE: requiredArgument('compiled contract, or - for stdin') };
  static override flags = deployFlags;

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ChainDeploy);
    const { deployContract } = await import('../../chain/deploy.js');
    await deployContract({ ...flags, file: args.FILE, arguments: argv.slice(1).map(String) }, this);
    await this.suggest('chain blocks -n 1');
  }
}
