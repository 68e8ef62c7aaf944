import { defineModule } from '../../core/module/define.ts'

export { practiceCategories, searchPractices, type PracticeCard } from './bank/calls.ts'
export { DIFFICULTIES, DIFFICULTY_BANDS, difficultyBand, bandsOf, valuesOfBands } from './bank/practice.ts'
export { COGNITIVE_LEVELS, TYPES, type QuestionContent } from './content/question.ts'
export { problemsOf, problemText } from './content/question-rules.ts'
export type { Alike } from './edit/calls.ts'
export { kindOf } from './formats/text/facts.ts'
export { addImportHandover, type HandoverProps } from './import/handover.ts'
export { knowledgeTree, type LabelBranch } from './label/calls.ts'
export { knowledgeLabel } from './label/label.ts'
export { addSetOwner, SET_GROUPS, type SelectedSet, type SetChapter } from './selected/calls.ts'
export { chapter, materialVersion, partwork } from './textbook/textbook.ts'

/** The question bank: questions, their labels and chapters, checking and comparing them. */
export default defineModule({
  name: 'practice',
  title: '题库',
  screens: [
    '/practice/back', '/practice/official', '/practice/backJunior', '/practice/officialJunior', '/practice/backPrimary', '/practice/officialPrimary',
    '/practice/:type/:id', '/practice/junior/:type/:id', '/practice/primary/:type/:id', '/practice/practiceVerify',
    '/practice/labels', '/practice/knowledge-label', '/practice/ebook-catalogue-label', '/practice/labelOrder', '/practice/compare',
  ],
})
