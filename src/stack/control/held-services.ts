import { Type } from '@sinclair/typebox';
import { discard, readText } from '../../http/client/response.js';
import { askSocket, isNobodyThere, maxSocketBytes } from '../../http/client/unix-socket.js';
import { readShape } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';
import { unlessEnded } from './ended.js';

/** The paused services of a stack. The pause depends on an open connection, so it ends when this process dies. */
export interface HeldServices {
  /** Resumes the services. Resolves with whether all of them were paused until now. */
  release(): Promise<boolean>;
}

const Refusal = Type.Object({ error: Type.String() });
const Held = Type.Object({ held: Type.Boolean() });
const answerLimitMs = 5_000;

/** Pauses all services of a supervisor. @throws StackError SNAPSHOT_FAILED if one of them cannot be paused */
export async function holdServices(socketPath: string): Promise<HeldServices> {
  const released = new AbortController();
  const response = await unlessEnded(() =>
    askSocket({ socketPath, method: 'POST', path: '/hold', until: released.signal }),
  );
  if (response.status !== 200) {
    const text = await readText(response, maxSocketBytes);
    if (response.status === 404) {
      throw new StackError('PROTOCOL_MISMATCH', 'The supervisor of this stack runs a version that cannot pause it.', {
        hint: 'Restart the stack: stack restart',
      });
    }
    const why = response.status === 409 ? readShape(Refusal, text, "The supervisor's refusal").error : text;
    const hint = 'Wait until the stack is healthy, or stop it: stack stop';
    throw new StackError('SNAPSHOT_FAILED', `The stack cannot be paused: ${why}.`, { hint });
  }
  // The connection closes when the supervisor ends; `release` then finds no supervisor.
  void discard(response);
  return {
    release: async () => {
      try {
        const answer = await askSocket({ socketPath, path: '/hold', until: answerLimitMs });
        return readShape(Held, await readText(answer, maxSocketBytes), 'The answer of the supervisor').held;
      } catch (error) {
        if (isNobodyThere(error)) return false;
        throw error;
      } finally {
        released.abort();
      }
    },
  };
}
