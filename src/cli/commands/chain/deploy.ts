import { deployFlags } from '../../chain/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class ChainDeploy extends BaseCommand {
  static override summary = 'Deploy a compiled contract.';
  static override description = [
    'FILE is the output of solc, Hardhat or Foundry. Constructor arguments follow: numbers as digits, addresses or',
    'names of parties, lists and tuples as JSON. With --quiet, it prints only the address. Exit codes: 0 deployed, 5',
    'timeout, 7 refused by the node or the constructor.',
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
