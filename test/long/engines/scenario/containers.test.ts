import { hasNoDocker } from '../../../support/docker.js';
import { describeScenario } from './on-network.js';
import { aStack, withWords } from './stack-networks.js';

describeScenario({
  on: 'containers',
  needs: 'docker',
  isSkipped: hasNoDocker,
  start: () => aStack(withWords('--runtime', 'docker')),
});
