/** The lifetime of a network that is deleted at its end. */
export interface Lifetime {
  /** Does work that needs the files of the network. @throws Error after `end` */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for the work in progress, which would leave files behind, then deletes the network. Deletes it once. */
  end(): Promise<void>;
}

export function createLifetime(name: string, remove: () => Promise<void>): Lifetime {
  const inProgress = new Set<Promise<unknown>>();
  let ending: Promise<void> | undefined;
  return {
    async during(work) {
      if (ending !== undefined) throw new Error(`The stack ${name} was stopped.`);
      const working = work();
      inProgress.add(working);
      try {
        return await working;
      } finally {
        inProgress.delete(working);
      }
    },
    end: () => (ending ??= Promise.allSettled(inProgress).then(remove)),
  };
}
