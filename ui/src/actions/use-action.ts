import type { Static, TSchema } from '@sinclair/typebox';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Client, refusal } from '../../../src/client/client.js';
import { readAs } from '../api/read-as.js';
import { useExplorer } from '../api/explorer.js';
import { type Action, targetOf } from './action.js';

/** The answer to an action, as served and parsed. */
export interface ActionAnswer<Value> {
  readonly text: string;
  readonly value: Value;
}

export interface ActionRun<Value> {
  readonly isSending: boolean;
  /** The error of the last attempt. */
  readonly error: unknown;
  readonly answer: ActionAnswer<Value> | undefined;
  /** Sends the request. Resolves with undefined if it failed; `error` has the reason. */
  run(action: Action): Promise<ActionAnswer<Value> | undefined>;
  /** Forgets the last attempt. */
  reset(): void;
}

interface State<Value> {
  readonly isSending: boolean;
  readonly error: unknown;
  readonly answer: ActionAnswer<Value> | undefined;
}

const nothing = { isSending: false, error: undefined, answer: undefined };

/** Sends actions, one after another. Each invalidates the reads of `subjects`. */
export function useAction<T extends TSchema>(schema: T, ...subjects: readonly string[]): ActionRun<Static<T>> {
  const { client, live } = useExplorer();
  const [state, setState] = useState<State<Static<T>>>(nothing);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const become = (next: State<Static<T>>) => {
    if (!isGone.current) setState(next);
  };
  return {
    ...state,
    async run(action) {
      become({ ...nothing, isSending: true });
      try {
        const text = await send(client, action);
        const answer = { text, value: readAs(schema, text === '' ? 'null' : text) };
        live.touch(...subjects);
        become({ ...nothing, answer });
        return answer;
      } catch (error) {
        become({ ...nothing, error });
        return undefined;
      }
    },
    reset: useCallback(() => setState(nothing), []),
  };
}

/** Returns the body of the answer. @throws ClientError, UnreachableError */
async function send(client: Client, action: Action): Promise<string> {
  const { method, body } = action;
  const answer = await client.exchange({ method, path: targetOf(action), body });
  if (answer.status < 200 || answer.status > 299) throw refusal(answer);
  return answer.text;
}
