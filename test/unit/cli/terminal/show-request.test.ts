import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { openNode } from '../../../../src/cli/party/open-node.js';
import { showUploads } from '../../../../src/cli/terminal/show-request.js';
import { memoryOutput } from '../memory-output.js';

async function shown(path: string): Promise<string> {
  const { output, out } = memoryOutput();
  const context = { output, environment: {}, program: 'stack' };
  const node = openNode({ name: 'alice', url: 'http://127.0.0.1:1', namespace: 'default', access: {} }, context);
  await showUploads([{ path, hasAutometa: true }], node, true, context);
  return out();
}

it("the upload of a file is shown as curl accepts it, whatever the file's name", async () => {
  expect(await shown('plan.pdf')).toContain("-F 'file=@plan.pdf;type=application/pdf;filename=plan.pdf'");
  expect(await shown('a/b, c;"d".txt')).toContain(
    String.raw`-F 'file=@"a/b, c;\"d\".txt";type=text/plain;filename="b, c;\"d\".txt"'`,
  );
  const command = await shown(`it's.txt`);
  expect(execFileSync('/bin/sh', ['-n', '-c', command]).length).toBe(0);
});
