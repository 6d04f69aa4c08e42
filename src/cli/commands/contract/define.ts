import { defineContractFlags } from '../../contracts/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class ContractDefine extends BaseCommand {
  static override summary = 'Tell all parties what a contract offers, and where it is.';
  static override description = [
    'FILE is an ABI, or what solc, Hardhat or Foundry have written. It becomes an interface NAME; with --address a',
    'contract API of that name too, by which contract call, query and listen know the contract.',
    'Exit codes: 0 usable, 5 time is up, 7 refused, or another definition was first.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> contract define Escrow.json --name escrow --address 0x5fbdb2315678afecb367f032d93f642f64180aa3',
    '<%= config.bin %> contract define Escrow.abi --name escrow --version 2.0 --wait all',
  ];
  static override args = { FILE: requiredArgument('ABI or compiled contract, or - for stdin') };
  static override flags = defineContractFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractDefine);
    const { defineContract } = await import('../../contracts/define.js');
    await defineContract({ ...flags, file: args.FILE }, this);
    await this.suggest(
      flags.address === undefined ? `api GET contracts/interfaces` : `contract query ${flags.name} METHOD`,
    );
  }
}
