import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import { createSystemRandom } from '../../src/adapters/random/system.js';
import { describeRandom } from './random.js';

describeRandom('system', () => createSystemRandom());
describeRandom('seeded', () => createSeededRandom(7));
