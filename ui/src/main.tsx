import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './shell/application.js';
import { applyDensity, applyTheme, storedDensity, storedTheme } from './shell/theme.js';
import './style/colors.css';
import './style/base.css';

applyTheme(storedTheme());
applyDensity(storedDensity());
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
