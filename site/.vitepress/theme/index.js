/// The generator's own look, with what pages of tables need.

import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
