import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plainText, type RichDoc } from '../../../../core/rich-text/rich-doc.ts'
import { answerLetters, type QuestionContent } from '../../content/question.ts'
import { problemsOf, problemText } from '../../content/question-rules.ts'
import { readQuestions } from '../../import/read-file.server.ts'
import type { ParsedItem } from '../item.ts'

const FOLDER = join(import.meta.dirname, 'samples')
const words = (doc: RichDoc | null) => plainText(doc).replace(/\n/g, ' ⏎ ')

function keyOf(content: QuestionContent, pool: QuestionContent['options']): string {
  const { answer } = content
  if (answer.k === 'blanks') return answer.b.map((blank) => blank.accept.map(words).join('|')).join(' ; ')
  if (answer.k === 'free') return answer.parts.map((part) => `${part.no > 0 ? `(${part.no})` : ''}${part.score === undefined ? '' : `[${part.score}分]`}${words(part.ref)}`).join(' ')
  return answer.k === 'sub' ? '' : answerLetters({ ...content, options: content.options.length > 0 ? content.options : [...pool] })
}

function lines(content: QuestionContent, indent: string, pool: QuestionContent['options'] = []): string[] {
  const solution = words(content.analysis.solution ?? content.analysis.hint)
  return [
    `${indent}${content.type} ${content.category ?? ''} ${content.score === null ? '' : `${content.score}分`} ${words(content.stem)}`.trimEnd(),
    ...content.options.map((option, index) => `${indent}  ${String.fromCodePoint(65 + index)} ${words(option.doc)}`),
    ...(content.answer.k === 'sub' ? [] : [`${indent}  = ${keyOf(content, pool)}`]),
    ...(solution ? [`${indent}  # ${solution}`] : []),
    ...content.children.flatMap((child) => lines(child, `${indent}    `, content.options)),
  ]
}

/** A reading as a person compares it with the paper: what is uncertain is marked. */
function readingOf({ place, question, warnings }: ParsedItem): string {
  const problems = [...warnings.filter((one) => one.level === 'problem').map((one) => one.message), ...(question ? problemsOf(question).map(problemText) : [])]
  return [place, ...[...new Set(problems)].map((message) => `  ! ${message.replace(/\n/g, ' ⏎ ')}`), ...(question ? lines(question, '  ') : [])].join('\n')
}

/** Papers in the layouts that schools use; their readings have been compared with them by hand. */
test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))('the paper %s is read as somebody reads it', async (name) => {
  const { parsed } = await readQuestions(join(FOLDER, name), name, null)
  await expect(`${parsed.items.map(readingOf).join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, name.replace('.txt', '.read')))
})
