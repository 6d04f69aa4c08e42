import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findEngine } from '../../support/engines.js';
import { freePortBase } from '../../support/port-base.js';
import { isRequired } from '../../support/services.js';
import { programFile } from '../../e2e/fixtures/cli.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

const platform = `${process.platform}-${process.arch}`;

describe.each(['22', '24', '26'])('Node %s', (major) => {
  const name = `node${major}`;
  const node = findEngine(name, `${name}/node_modules/node-${platform}/bin/node`);

  test.skipIf(node === undefined && !isRequired(name))(`runs a stack without warnings (needs ${name})`, async () => {
    if (node === undefined) throw new Error(`No ${name}: .ci/engines ${name}`);
    const cli = createStackCli('default');
    onTestFinished(() => cli.remove());
    const run = async (words: string): Promise<string> => {
      const { code, out, err } = await cli.shell(`'${node}' '${programFile}' ${words}`).ended;
      expect(`${code} ${err}`).toMatch(/^0 /);
      expect(err).not.toMatch(/unrecognized|warning|deprecat/i);
      return out.trimEnd();
    };
    await run(`init dev -n 2 -q --port-base ${await freePortBase()}`);
    await run('start dev -q --progress none');
    await run(`broadcast '{"hello":"world"}' --wait all -q`);
    await run('pool create coins --type fungible --wait all -q');
    await run('mint 5 --pool coins --wait all -q');
    await run('restart dev -q --progress none');
    await run(`send '{"only":"bob"}' --to bob --wait all -q`);
    const logs = join(cli.environment['STACK_HOME'] ?? '', 'stacks/dev/logs');
    for (const file of await readdir(logs)) {
      expect(await readFile(join(logs, file), 'utf8')).not.toMatch(/unrecognized|deprecat/i);
    }
    expect(await cli.shell(`'${node}' --version`).ended).toMatchObject({
      out: expect.stringContaining(`v${major}.`),
    });
  });
});
