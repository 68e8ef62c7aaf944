/** What modules with papers of their own use of them in the browser. */
export { presentPapers } from './paper-view.tsx'

/** The screens of one paper, for a module's own paths: its editor, and the choice of questions. */
export const paperEditor = () => import('./editor/paper-screen.tsx')
export const paperPicker = () => import('./editor/add-practice-screen.tsx')

/** Where questions are picked from, and pages as they come out of the printer. */
export { Picker as QuestionPicker } from './editor/picker.tsx'
export { SHEETS } from './print/edition.ts'
export { Lines, type PrintBlock } from './print/print-blocks.tsx'
export { PrintPages, type PageFill } from './print/print-pages.tsx'
export { KnowledgeSelect } from './choose/knowledge-select.tsx'
