/** How questions look, for other modules. */
export { AnswerText, QuestionView } from './content/render.tsx'
