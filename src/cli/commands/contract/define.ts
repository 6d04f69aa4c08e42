import { defineContractFlags } from '../../contracts/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class ContractDefine extends BaseCommand {
  static override summary = 'Share the interface and address of a contract.';
  static override description = [
    'FILE is an ABI, or the output of solc, Hardhat or Foundry. It becomes an interface NAME and, with --address, a',
    'contract API of that name for "contract call", "contract query" and "contract listen". Existing ones with the',
    'same content are used. Exit codes: 0 usable, 5 timeout, 7 refused or another definition was first, 10 name in',
    'use with other content.',
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
