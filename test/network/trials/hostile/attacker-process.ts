import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { createHttpClient } from '../../../../src/bench/http.js';
import type { Told, VisibleStack } from './attacker.js';
import { memberAttacks } from './from-member.js';
import { outsideAttacks } from './from-outside.js';
import { registerHostileMember } from './member.js';
import type { World } from './world.js';

/** The process of an attacker: reports when it is a member, and carries out the attacks that it is given by name. */
leaveProcessors();
const { root, stack } = JSON.parse(process.argv[2] ?? '') as { readonly root: string; readonly stack: VisibleStack };
const http = createHttpClient({ timeoutMs: 60_000 });
const member = await registerHostileMember(root, stack, http);
const [target] = stack.parties;
if (target === undefined) throw new Error('a stack has a party');
const world: World = { stack, http, target, member };

process.on('message', (name) => {
  void carryOut(String(name)).then((told) => process.send?.(told));
});
process.once('disconnect', () => {
  http.close();
  void member.close().then(() => process.exit());
});
process.send?.('registered');

async function carryOut(name: string): Promise<Told> {
  const attack = [...memberAttacks, ...outsideAttacks].find((each) => each.name === name);
  try {
    if (attack === undefined) throw new Error(`There is no attack "${name}"`);
    return { told: await attack.run(world) };
  } catch (error) {
    return { fault: String(error) };
  }
}

/** Lowers the priority. Linux divides the processors among sessions first, so the session's priority counts there. */
function leaveProcessors(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  try {
    writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_LOW));
  } catch {
    // Not Linux, or no grouping by session: the priority above is sufficient.
  }
}
