import { assetsOf, formulasOf, plainText } from '../../../core/rich-text/rich-doc.ts'
import { docsOf, type QuestionContent } from '../content/question.ts'
import { isAutoGradable } from '../content/question-rules.ts'
import { fingerprintOf } from '../content/fingerprint.ts'
import type { PictureHashes } from '../picture/hash.ts'

/** Longest text that is kept for searching; longer ones are passages whose beginning finds them. */
const MAX_SEARCH = 8000

/** Words that a search finds a question by: stem, options and parts; neither answers nor explanations. */
export function searchText(content: QuestionContent): string {
  const own = [plainText(content.stem), ...content.options.map((option) => plainText(option.doc))]
  return [...own, ...content.children.map(searchText)].join(' ').replace(/\s+/g, ' ').trim().slice(0, MAX_SEARCH)
}

const hasAnalysis = (content: QuestionContent): boolean => content.analysis.solution !== null || content.analysis.hint !== null || content.children.some(hasAnalysis)

/** What lists filter by and duplicates are found by, as it follows from the text and the pictures in it. */
export function derived(content: QuestionContent, hashes: PictureHashes) {
  const docs = docsOf(content).map(({ doc }) => doc)
  const { content_hash, bands } = fingerprintOf(content, hashes)
  return {
    columns: {
      type: content.type,
      option_layout: content.option_layout,
      score: content.score,
      has_image: Number(docs.some((doc) => assetsOf(doc).length > 0)),
      has_formula: Number(docs.some((doc) => formulasOf(doc).length > 0)),
      has_analysis: Number(hasAnalysis(content)),
      auto_gradable: Number(isAutoGradable(content)),
      search_text: searchText(content),
      content_hash,
    },
    bands,
  }
}

/** Share of what a good question has, 0 to 100: analysis, label, difficulty, source, score. */
export function completeness(content: QuestionContent, facts: { difficulty: number | null; source: string | null; category_id: number | null }, labels: number): number {
  const has = [
    [content.stem !== null, 20], [hasAnalysis(content), 25], [content.analysis.solution !== null, 10], [labels > 0, 20], [facts.difficulty !== null, 10], [facts.source !== null, 5], [facts.category_id !== null, 5], [content.score !== null, 5],
  ] as const
  return has.reduce((sum, [there, points]) => sum + (there ? points : 0), 0)
}
