import { hasNoGeth } from '../../../support/geth.js';
import { hasNoKubo } from '../../../support/kubo.js';
import { hasNoPostgres } from '../../../support/postgres.js';
import { describeScenario } from './on-network.js';
import { aStack, onGeth, onKubo, onPostgres } from './stack-networks.js';

describeScenario({
  on: 'geth, Kubo and PostgreSQL at once',
  needs: 'geth, kubo, postgres',
  isSkipped: hasNoGeth || hasNoKubo || hasNoPostgres,
  start: () =>
    aStack(async (directory) => {
      const all = [await onGeth(directory), await onKubo(), await onPostgres(directory)];
      return { words: all.flatMap(({ words }) => words), parts: all.flatMap(({ parts }) => parts) };
    }),
});
