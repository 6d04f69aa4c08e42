import { hasNoAnvil } from '../../../support/anvil.js';
import { describeScenario } from './on-network.js';
import { aStack, onAnvil, withWords } from './stack-networks.js';

const anvil = { needs: 'anvil', isSkipped: hasNoAnvil, isExtra: true };

describeScenario({ ...anvil, on: 'blocks of Anvil', start: () => aStack(withWords('--chain', 'anvil')) });

describeScenario({
  ...anvil,
  on: 'an Anvil of others over HTTP, a block each second, one confirmation',
  start: () => aStack((directory) => onAnvil(directory, ['--block-time', '1'], ['chain.confirmations=1'])),
});

describeScenario({
  ...anvil,
  on: 'an Anvil of others over WebSocket, a block for each transaction',
  start: () => aStack((directory) => onAnvil(directory, [], ['chain.final=true', 'chain.ws=ws://PLACE'])),
});
