import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './shell/application.js';
import { applyTheme, storedTheme } from './shell/theme.js';
import './style/colors.css';
import './style/base.css';

applyTheme(storedTheme());
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the explorer.');
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
