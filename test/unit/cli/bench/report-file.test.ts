import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReportFile, writeReport } from '../../../../src/cli/bench/report-file.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-report-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the file of a report', () => {
  it('is checked before anything is measured, and left unchanged', async () => {
    await checkReportFile(undefined);
    await checkReportFile(join(directory, 'report.json'));
    expect(await readdir(directory)).toEqual([]);
    for (const path of [directory, join(directory, 'nowhere', 'report.json'), join(process.execPath, 'report.json')]) {
      await expect(checkReportFile(path)).rejects.toMatchObject({ code: 'USAGE', exitCode: 2 });
    }
  });

  it("contains the report in the form of the program's output", async () => {
    const path = join(directory, 'report.json');
    await writeReport(path, { confirmed: 1 });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ schemaVersion: 1, confirmed: 1 });
    await expect(writeReport(directory, {})).rejects.toMatchObject({ code: 'USAGE' });
  });
});
