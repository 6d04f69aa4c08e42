import { Config } from '@oclif/core/config';
import { beforeAll, describe, expect, it } from 'vitest';
import { BaseCommand } from '../../../src/cli/base.js';
import { requiredArgument, targetFlags } from '../../../src/cli/flags.js';

const root = new URL('../../../', import.meta.url).pathname;

/** A command like `contract call`, which records its arguments. */
class Call extends BaseCommand {
  static override strict = false;
  static override args = { NAME: requiredArgument('a name') };
  static override flags = targetFlags;
  static override id = 'call';

  async run(): Promise<readonly unknown[]> {
    return (await this.parse(Call)).argv;
  }
}

describe('the arguments of a command that takes any number', () => {
  let config: Config;

  beforeAll(async () => {
    config = new Config({ root });
    await config.load();
  });

  it.each([
    { typed: ['sum', '1', '2', '1'], words: ['sum', '1', '2', '1'] },
    { typed: ['-p', 'bob', 'coins', 'balanceOf', 'bob'], words: ['coins', 'balanceOf', 'bob'] },
    { typed: ['coins', 'transfer', '--party=bob', 'bob', '5'], words: ['coins', 'transfer', 'bob', '5'] },
    { typed: ['coins', '-5', '--', '-p', '-5'], words: ['coins', '-5', '-p', '-5'] },
  ])('stay in their order: $typed', async ({ typed, words }) => {
    expect(await Call.run(typed, config)).toEqual(words);
  });
});
