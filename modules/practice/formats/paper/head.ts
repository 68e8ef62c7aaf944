/** What a paper says beside its questions: of itself, and of each of its sections. */
import type { ItemSection, PaperHead } from '../item.ts'
import { flat, type Flow } from '../text/flow.ts'
import { answerTables, blanked } from './answer-table.ts'
import { outlineOf, type Section } from './outline.ts'
import { piecesOf } from './passages.ts'

const numberIn = (pattern: RegExp, text: string): number | null => {
  const found = pattern.exec(text)?.slice(1).find((group) => group !== undefined)
  return found === undefined ? null : Number(found)
}

/** The heading of a section up to its points, and what follows these on its line. */
const HEADING = /^(.*?(?:共\s*\d+(?:\.\d)?\s*分|每(?:小?题|空)\s*\d+(?:\.\d)?\s*分)(?:[，,]?\s*(?:共|满分)\s*\d+(?:\.\d)?\s*分)?\s*[)）】\]]?)[。．.，,；;]?\s*(.*)$/
const tidy = (text: string) => text.replace(/[\u0000\uFFFC]/g, '').replace(/[^\S\n]+/g, ' ').trim()

/** What the section of a paper says of itself. @param sections all of the paper, in their order */
export function sectionTold(text: string, sections: readonly Section[], at: number): ItemSection {
  const section = sections[at]
  const heading = section?.heading ?? null
  const named = heading?.name || heading?.kind?.category || ''
  if (!section || !heading) return { at, part: '', name: named || '试题', title: '', instruction: '', count: null, total: null }
  const before = sections[at - 1]
  // A part of a paper is a heading without questions of its own: 第Ⅰ卷（选择题 共 60 分）.
  const isPart = (one: Section | undefined): one is Section => one !== undefined && one.heading !== null && one.marks.length === 0 && one.holes.length === 0 && (one.heading.volume !== null || one.heading.level === 'part')
  const line = tidy(text.slice(heading.at, heading.end))
  const [, title = line, rest = ''] = HEADING.exec(line) ?? []
  const first = piecesOf(text, section)[0]
  const below = first ? tidy(text.slice(section.from, first.lead)) : ''
  const told = [rest, below.startsWith(line) ? below.slice(line.length) : below].map((part) => part.trim()).filter((part) => part !== '').join('\n')
  return {
    at, part: isPart(before) && before.heading ? tidy(text.slice(before.heading.at, before.heading.end)).slice(0, 60) : '', name: (named || '大题').slice(0, 40), title: title.slice(0, 200), instruction: told.slice(0, 500),
    count: numberIn(/共\s*(\d{1,3})\s*(?:小)?题/, line), total: numberIn(/(?:共计?|满分|总分)\s*(\d{1,3}(?:\.\d)?)\s*分/, line),
  }
}

/** Room for a name, marks of a table, and other lines that are to be filled in. */
const FORM = /^(?:学校|班级|姓名|考号|准考证|座位?号|得分|题号|评卷人|总分|第?\s*\d+\s*页)[\s:：_＿]*|[_＿]{3,}/
const NOTICES = /^[【（(]?\s*(?:注意事项|考生(?:须知|注意)|答题(?:须知|要求))\s*[】）)]?\s*[:：]?\s*/
const FACTS = /满分|时间|时量|用时|时长|分钟|总分/

/** What stands above the first section of a paper; nothing where no heading says that it is one. */
export function paperHead(flow: Flow): { head?: PaperHead } {
  const text = blanked(flat(flow), answerTables(flow, false))
  const { sections } = outlineOf(text, [])
  const [first] = sections
  if (sections.every(({ heading }) => heading === null)) return {}
  const above = text.slice(0, first ? (first.heading?.at ?? first.marks[0]?.at ?? first.from) : 0)
  const lines = above.split('\n').map(tidy).filter((line) => line !== '')
  const told = lines.findIndex((line) => NOTICES.test(line))
  const upper = told < 0 ? lines : lines.slice(0, told)
  const notices = told < 0 ? [] : lines.slice(told).map((line, index) => (index === 0 ? line.replace(NOTICES, '') : line)).filter((line) => line !== '' && !FORM.test(line))
  const secret = upper.find((line) => /^[（(]?(?:绝密|机密|秘密)/.test(line) && line.length <= 40) ?? ''
  const titles = upper.filter((line) => line !== secret && !FORM.test(line) && !(FACTS.test(line) && /\d/.test(line)) && !/^(?:本试卷|命题|审题|考试范围)/.test(line) && line.length <= 60)
  return { head: {
    secret, notices: notices.slice(0, 30), title: titles.slice(0, 2).join(' ').slice(0, 100),
    minutes: numberIn(/(?:时间|用时|时量|时长)\s*[:：为]?\s*(\d{2,3})\s*分|(\d{2,3})\s*分钟/, above), total: numberIn(/(?:满分|总分|卷面|全卷共|试卷共)\s*[:：为]?\s*(\d{2,3})\s*分/, above),
  } }
}
