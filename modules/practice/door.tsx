/** How questions look and how chapters are chosen, for other modules. */
export { CatalogTree } from './ui/catalog-tree.tsx'
export { AnswerText, QuestionView } from './content/render.tsx'
/** The sets of a line whose lessons are sets chosen for chapters. */
export { ContentScreen } from './selected/content-screen.tsx'
/** The set of one place, for screens of modules that own sets. */
export { SelectedPanel } from './selected/selected-panel.tsx'
export { DifficultyTag } from './ui/practice-card.tsx'
export { useSubjects } from './ui/use-practice.tsx'
/** A list that is put into an order by dragging, keys and buttons. */
export { SortList } from './ui/sort-list.tsx'
