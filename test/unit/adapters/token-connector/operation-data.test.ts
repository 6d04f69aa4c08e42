import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import { expect, it } from 'vitest';
import { approvalDataTopic, transferDataTopic } from '../../../../src/adapters/token-connector/operation-data.js';

const artifact = new URL('../../../../contracts/artifacts/Erc20Pool.json', import.meta.url);
const { abi } = JSON.parse(readFileSync(artifact, 'utf8')) as { readonly abi: [] };
const pool = new Interface(abi);

it.each([
  ['TransferData', transferDataTopic],
  ['ApprovalData', approvalDataTopic],
])('looks for the event %s under the hash that the contract gives it', (name, topic) => {
  expect(pool.getEvent(name)?.topicHash).toBe(topic);
});
