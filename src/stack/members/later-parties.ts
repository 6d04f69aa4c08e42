import { dirname } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { type LaterParty, LaterPartiesFile } from '../../wire/later-parties.js';
import type { Layout } from '../layout.js';

/** Announces a joining party to the running nodes, replacing an earlier announcement. */
export async function noteLaterParty({ laterParties: file }: Layout, party: LaterParty): Promise<void> {
  const known = (await readJsonFile(file, LaterPartiesFile))?.parties ?? [];
  const parties = [...known.filter(({ name }) => name !== party.name), party];
  await makeDirectory(dirname(file));
  await writeJsonFile(file, { version: 1, parties });
}

/** Deletes all announcements: the configurations of a start contain all parties. */
export async function forgetLaterParties({ laterParties: file }: Layout): Promise<void> {
  await makeDirectory(dirname(file));
  await writeJsonFile(file, { version: 1, parties: [] });
}
