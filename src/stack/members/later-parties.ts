import { dirname } from 'node:path';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { type LaterParty, LaterPartiesFile } from '../../wire/later-parties.js';
import type { Layout } from '../layout.js';

/** Tells the running nodes of a party that joins, in place of what they were told of it before. */
export async function noteLaterParty({ laterParties: file }: Layout, party: LaterParty): Promise<void> {
  const known = (await readJsonFile(file, LaterPartiesFile))?.parties ?? [];
  const parties = [...known.filter(({ name }) => name !== party.name), party];
  await makeDirectory(dirname(file));
  await writeJsonFile(file, { version: 1, parties });
}

/** Forgets the parties that have joined: a start tells every node of all of them. */
export async function forgetLaterParties({ laterParties: file }: Layout): Promise<void> {
  await makeDirectory(dirname(file));
  await writeJsonFile(file, { version: 1, parties: [] });
}
