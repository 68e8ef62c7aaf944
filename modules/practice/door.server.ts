/** What other modules use of the question bank on the server. */
export { readCards } from './bank/card.server.ts'
export { findPracticeFacts, practiceFacts } from './bank/facts.server.ts'
/**
 * Word documents. Make one `WordWriter` for a document, children with it, and pack them into sections:
 *
 *     const assets = await loadAssets(files, questions.flatMap((one) => docsOf(one).map(({ doc }) => doc)))
 *     const word = new WordWriter(wordPictures(assets))
 *     const children = [
 *       word.line([textRun('一、单选题（共 8 小题，每小题 5 分）', { b: true })]),
 *       ...wordQuestion(word, content, { number: '1．', points: 5 }),          // stem, options, child questions
 *       ...wordAnswer(word, content, { short: true }),                         // 【答案】; without `short` also 【详解】 …
 *       ...word.blocks(richDoc), word.line([...word.runs(inlines)]),           // any rich text
 *     ]
 *     const bytes = await word.pack({ title, sections: [{ properties: {…}, headers: {…}, children }] })
 *
 * Sections, headers, columns and page sizes are those of the `docx` package (`ISectionOptions`). Formulas become real
 * Word formulas; pictures, tables, lists, blanks and emphasis dots are Word's own. `word.notes` says what could not
 * be written (a picture that is gone, a sound). Everything is synchronous except `loadAssets` and `pack`.
 */
export { loadAssets, wordPictures } from './formats/assets.server.ts'
export { textRun } from './formats/docx/runs.ts'
export { wordAnswer, wordQuestion } from './formats/docx/question.ts'
export { WordWriter } from './formats/docx/writer.ts'
export { answerLetters, contentSchema, docsOf, withHolesFrom } from './content/question.ts'
/** Questions that others wrote: what the bank has that is like one, and a draft of it in the back bank. */
export { admitPractice, likePractices, standingOf } from './bank/admit.server.ts'
/** Names of labels. */
export { nameLabels } from './label/read.server.ts'
export { addPracticeUser, type PracticeUser } from './compare/uses.server.ts'
export { reportOfLearner } from './report/report.server.ts'
export { onPracticeCorrected, type Correction } from './bank/corrected.server.ts'
export { onReportFixed } from './report/settle.server.ts'
export { proposeSolution } from './verify/propose.server.ts'
/** Sets of questions that other modules own: books, and screens of their own. */
export { takeAnswers } from './stat/calls.server.ts'
export { addSetKeeper } from './selected/owner.server.ts'
export { fillSets, setTargets } from './selected/build.server.ts'
export { readProgress } from './selected/fill.server.ts'
export { findSetTarget } from './selected/places.server.ts'
/** Imports that something is made of, and their questions as drafts. */
export { handedImport, onImportUndo, type HandedItem } from './import/handover.server.ts'
export { writeImportItems } from './import/jobs.server.ts'
