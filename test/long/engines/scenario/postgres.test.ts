import { hasNoPostgres } from '../../../support/postgres.js';
import { describeScenario } from './on-network.js';
import { aStack, onPostgres } from './stack-networks.js';

describeScenario({
  on: 'PostgreSQL',
  needs: 'postgres',
  isSkipped: hasNoPostgres,
  start: () => aStack(onPostgres),
});
