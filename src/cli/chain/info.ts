import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../wire/json/json.js';
import { miningMember, miningText } from './mining.js';
import { type StackFlags, contractsOf, openChain } from './open-chain.js';
import { result } from '../terminal/output.js';
import { recordText } from '../requests/record-text.js';
import type { CommandContext } from '../requests/target.js';
import { age, sizeOf } from '../terminal/text.js';

/** `stack chain info`. @throws CliError NOT_RUNNING */
export async function showChain(flags: StackFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const { stack, status, url, authFile, reader, control } = await openChain(flags, context);
  const [chainId, head, mining, waiting] = await Promise.all([
    reader.chainId(),
    reader.head(),
    control === undefined ? undefined : reader.mining(),
    control === undefined ? 0 : reader.waiting(),
  ]);
  const { hash, time } = await reader.block(head);
  // An external chain has no journal.
  const journal = control === undefined ? null : join(stack.layout.chainData, 'journal');
  const journalBytes = journal === null ? null : (await stat(journal)).size;
  const contracts = contractsOf(status);
  if (output.isJson) {
    const members = {
      url,
      ...(authFile !== undefined && { authFile }),
      chainId,
      head: { number: head, hash, time },
      mining: mining === undefined ? null : miningMember(mining),
      waiting,
      journal,
      journalBytes,
      contracts,
    };
    await output.json(textOf(result(members)));
  } else if (output.isQuiet) await output.line(String(head));
  else {
    const rows = contracts.map(
      ({ name, address, block }) => [name, block === undefined ? address : `${address}  since block ${block}`] as const,
    );
    const text = recordText([
      ['url', url],
      ...(authFile === undefined ? [] : [['token', authFile] as const]),
      ['chain id', String(chainId)],
      ['head', `${head}  ${age(time, Date.now())} ago`],
      ['hash', hash],
      ...(mining === undefined ? [] : [['mining', miningText(mining, waiting)] as const]),
      ...(journal === null ? [] : [['journal', `${journal}  ${sizeOf(journalBytes ?? 0)}`] as const]),
      ...rows,
    ]);
    await output.line(text);
  }
}
