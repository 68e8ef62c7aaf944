/** What modules with papers of their own use of them in the browser. */
export { presentPapers } from './paper-view.tsx'

/** The screens of one paper, for a module's own paths: its editor, and the choice of questions. */
export const paperEditor = () => import('./editor/paper-screen.tsx')
export const paperPicker = () => import('./editor/add-practice-screen.tsx')
