import { load } from './load.js';

load('thread');
