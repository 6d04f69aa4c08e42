import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/supervisor/plan.js';
import { aDirectory, aPlan, aService, aTask } from './fixtures/plans.js';
import { diary, run, until, view } from './fixtures/running.js';

describe('A supervisor that works', () => {
  test('adopts an extended plan: new services start, tasks run again, running services are left alone', async () => {
    const directory = aDirectory();
    const after = [{ name: 'deploy', condition: 'completed' }] as const;
    const plan = aPlan(directory, [aService(directory, 'chain'), aTask(directory, 'deploy')]);
    const supervisor = run(plan);
    const { pid } = await until(supervisor, 'chain', 'healthy');
    await until(supervisor, 'deploy', 'completed');
    const chain = aService(directory, 'chain', {}, { changed: true });
    const node = aService(directory, 'node', { after: [...after] });
    supervisor.adopt({ ...plan, services: [chain, aTask(directory, 'deploy'), node] }, ['deploy']);
    expect(view(supervisor, 'node').state).toBe('pending');
    await until(supervisor, 'node', 'healthy');
    expect(diary(directory).slice(-2)).toEqual(['deploy ran', 'node started']);
    expect(view(supervisor, 'chain')).toMatchObject({ pid, restarts: 0 });
    await supervisor.service('chain')?.stop();
    supervisor.service('chain')?.start();
    await until(supervisor, 'chain', 'healthy');
    const written: unknown = JSON.parse(readFileSync(chain.config.file, 'utf8'));
    expect(written).toMatchObject({ changed: true });
  });

  test('refuses a plan that does not extend its own', () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [aService(directory, 'chain')]);
    const supervisor = run(plan);
    const adopt = (next: Plan) => () => supervisor.adopt(next, []);
    expect(adopt({ ...plan, stack: 'another' })).toThrow(/another stack/);
    expect(adopt({ ...plan, services: [] })).toThrow(/lacks chain/);
    const lost = aService(directory, 'node', { after: [{ name: 'deploy', condition: 'completed' }] });
    expect(adopt({ ...plan, services: [...plan.services, lost] })).toThrow(/waits for deploy/);
    expect(supervisor.plan()).toBe(plan);
  });
});
