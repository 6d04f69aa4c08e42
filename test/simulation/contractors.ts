import type { Reader } from '../../src/ports/database.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import { textOf } from '../../src/wire/json/json.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';
import type { Party, Serving } from './party.js';
import { InvariantViolation } from './shadow.js';

export interface ContractorParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  /** Number of interfaces and APIs that they create, publish or change. */
  readonly definitions: number;
  /** Whether they also publish interfaces later, and delete some records. */
  readonly hasLocalRecords: boolean;
  readonly spanMs: number;
}

/** Users who share contract interfaces under few names, so that the names collide. */
export interface Contractors {
  start(): void;
}

const names = ['escrow', 'auction'] as const;
const everything = 1_000;

export function createContractors(parts: ContractorParts): Contractors {
  const { simulator, parties, definitions, hasLocalRecords, spanMs } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[random.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  async function makeInterface({ pipeline }: Serving): Promise<void> {
    const request = {
      name: pick(names),
      version: String(1 + random.integer(2)),
      description: String(random.integer(9)),
    };
    await pipeline.acceptInterface('default', request, random.fraction() < 0.8);
  }

  /** Creates an API, publishes a local one, or changes the interface of one. */
  async function makeApi({ pipeline }: Serving, disk: Reader): Promise<void> {
    const [known, apis] = await Promise.all([
      disk.rows('interfaces', { namespace: 'default' }, { limit: everything }),
      disk.rows('apis', { namespace: 'default' }, { limit: everything }),
    ]);
    if (known.length === 0) return;
    const its = { interface: { id: pick(known).id } };
    const choice = random.fraction();
    if (choice < 0.5 || apis.length === 0) {
      await pipeline.acceptApi('default', { name: pick(names), ...its }, random.fraction() < 0.7);
      return;
    }
    const { id, name } = pick(apis);
    if (choice < 0.7) await pipeline.publishApi('default', name, {});
    else await pipeline.changeApi('default', id, { name, ...its });
  }

  /** Publishes an interface of the party, or deletes an interface or an API. */
  async function changeLocal({ pipeline }: Serving, disk: Reader): Promise<void> {
    const mine = { namespace: 'default', published: false } as const;
    const [interfaces, apis] = await Promise.all([
      disk.rows('interfaces', mine, { limit: everything }),
      disk.rows('apis', mine, { limit: everything }),
    ]);
    const choice = random.fraction();
    if (choice < 0.6 && interfaces.length > 0) {
      await pipeline.publishInterface('default', pick(interfaces), {});
      sometimes('interface shared later');
    } else if (choice < 0.8 && interfaces.length > 0) {
      await pipeline.removeInterface('default', pick(interfaces).id);
      sometimes('interface or API deleted');
    } else if (apis.length > 0) {
      await pipeline.removeApi('default', pick(apis).name);
      sometimes('interface or API deleted');
    }
  }

  function act(): void {
    const party = pick(parties);
    const serving = party.serving();
    if (serving === undefined) return;
    const isLater = hasLocalRecords && random.fraction() < 0.3;
    const work = isLater
      ? changeLocal(serving, party.disk)
      : random.fraction() < 0.45
        ? makeInterface(serving)
        : makeApi(serving, party.disk);
    work.then(
      () => sometimes('interface or API accepted'),
      (error: unknown) => {
        if (isServiceError(error)) sometimes('interface or API refused');
        else if (!(error instanceof Error && error.message.includes('simulated fault'))) {
          scheduler.fail(new Error('the request failed', { cause: error }));
        }
      },
    );
  }

  return {
    start() {
      for (let time = 0; time < definitions; time++) {
        scheduler.after(random.fraction() * spanMs, 'user', 'shares what a contract can do', act);
      }
    },
  };
}

/** I10: a party has exactly the published interfaces and APIs. */
export async function checkContracts(party: string, disk: Reader, oracle: Oracle): Promise<void> {
  const published = { namespace: 'default', published: true } as const;
  const [interfaces, apis] = await Promise.all([
    disk.rows('interfaces', published, { limit: everything }),
    disk.rows('apis', published, { limit: everything }),
  ]);
  const here = [
    ...interfaces.map(({ id, networkName, version }) => ({ id, name: `${networkName ?? ''}@${version}` })),
    ...apis.map(({ id, networkName, interface: its }) => ({ id, name: networkName ?? '', interface: its })),
  ];
  const { interfaces: wanted, apis: wantedApis } = oracle.contracts();
  const there = [
    ...wanted().map(({ id, name }) => ({ id, name })),
    ...wantedApis().map(({ id, name, interface: its }) => ({ id, name, interface: its })),
  ];
  const [found, expected] = [here, there].map((list) => list.map((each) => textOf(each)).sort());
  if (found?.join() === expected?.join()) return;
  throw new InvariantViolation('I10', `${party} has ${found?.join() ?? ''}, not ${expected?.join() ?? ''}`);
}
