/** What stands on a paper beside its questions, as print and Word both have it. */
import { NO_FRONT, type PaperBody, type PaperFront } from '../compose/body.ts'
import { chineseNumber } from '../compose/heading.ts'

/** What a paper says of itself; one that nobody has written anything of has nothing. */
export const frontOf = (body: PaperBody): PaperFront => body.front ?? NO_FRONT

/** The notices, numbered where they are not yet. */
export function noticesOf({ notices }: PaperFront): string[] {
  const lines = notices.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  return lines.some((line) => /^(?:\d{1,2}\s*[.．、]|[（(]\d{1,2}[)）]|[一二三四五六七八九十]、)/.test(line)) ? lines : lines.map((line, index) => `${index + 1}．${line}`)
}

/** Columns of the table for the marks: the sections that have questions, and the whole. */
export const markColumns = ({ sections }: PaperBody): string[] => [...sections.map((_, index) => chineseNumber(index + 1)), '总分']

/** How the title of the notices reads. */
export const NOTICES = '注意事项：'
/** What stands along the sealing line: of whom on the first page, and on every page why. */
export const SEAL = { person: '学校＿＿＿＿＿＿＿　班级＿＿＿＿＿＿　姓名＿＿＿＿＿＿　考号＿＿＿＿＿＿＿＿', line: '密　　封　　线　　内　　不　　要　　答　　题' } as const
