import { sql } from 'drizzle-orm'
import type { Database, Queryable } from '../../core/database/database.server.ts'
import { standardId } from '../../core/grant/grant.ts'
import type { Staff } from '../../core/grant/staff.server.ts'
import { docOf, paragraph } from '../../core/rich-text/rich-doc.ts'
import { seedTransaction } from '../../core/setup/insert-many.server.ts'
import { seededRandom } from '../../core/setup/random.ts'
import { PAPER_STATE } from '../paper/module.ts'
import { screenId } from '../screens.ts'
import { handIn } from './hand-in.server.ts'
import { decideQuestion } from './review.server.ts'
import { TEACHER_STATUS } from './states.ts'

const DAY = 86_400
/** Questions that teachers wrote, by the last digits of their subject; the answer stands behind the bar. */
const WRITTEN: Readonly<Record<number, readonly string[]>> = {
  1: [
    '学校运动会需要购买甲、乙两种奖品共 60 件，甲种每件 12 元，乙种每件 8 元，总费用不超过 600 元，甲种奖品最多能买多少件？|设甲种 x 件，12x+8(60−x)≤600，解得 x≤30，最多 30 件。',
    '一个蓄水池单开甲管 6 小时注满，单开乙管 9 小时注满，两管同开 2 小时后关闭甲管，乙管还要多少小时注满？|两管同开 2 小时注入 2×(1/6+1/9)=5/9，余下 4/9，需 4 小时。',
    '小华测量旗杆高度，在离旗杆底部 12 米处测得仰角为 45°，眼睛离地面 1.6 米，旗杆有多高？|旗杆高 12+1.6=13.6 米。',
    '某商场将进价 40 元的台灯按 60 元出售，每月可卖 300 盏，每涨价 1 元少卖 10 盏，涨价多少元时月利润为 6160 元？|(20+x)(300−10x)=6160，整理得 x²−10x+16=0，x=2 或 8。',
  ],
  2: [
    'Write a short passage of about 60 words on how you helped a classmate this week. Use the past tense.|参考：I helped Li Lei with his maths on Monday after class…',
    'Rewrite the sentence in the passive voice: The students planted thirty trees last spring.|Thirty trees were planted by the students last spring.',
  ],
  3: [
    '质量为 2 千克的铁块从 20 ℃ 加热到 120 ℃，吸收多少热量？铁的比热容取 0.46×10³ J/(kg·℃)。|Q=cmΔt=0.46×10³×2×100=9.2×10⁴ J。',
    '两个电阻 R1=10 Ω、R2=15 Ω 并联在 6 V 电源上，干路电流是多少？|I=6/10+6/15=1 A。',
  ],
}
const NAMES = ['周测卷', '单元自测', '期中模拟', '课堂小测', '寒假作业', '分层练习'] as const
const REFUSED = ['题目条件不完整，无法求解', '超出课程标准要求', '答案有误，请核对后再提交'] as const

const rich = (text: string) => docOf([paragraph([text])])
const written = (text: string): Record<string, unknown> => {
  const [stem = '', answer = ''] = text.split('|')
  return { type: 4, stem: rich(stem), options: [], option_layout: 1, answer: { k: 'free', parts: [{ no: 0, ref: rich(answer), steps: [] }] }, analysis: { hint: null, solution: rich(answer), comment: null, pitfall: null }, score: 10, category: null, children: [] }
}

interface Author extends Record<string, unknown> { id: number; name: string; subject_id: number }

/** Whoever sets up the demo may write in the back banks, and sees everything. */
async function reviewer(tx: Queryable): Promise<Staff> {
  const [row] = await tx.query<{ id: number }>(sql`select id from staff where status = 1 order by id limit 1`)
  const banks = (['/practice/back', '/practice/backJunior', '/practice/backPrimary', '/practice/official', '/practice/officialJunior', '/practice/officialPrimary'] as const).map(screenId)
  return { id: row?.id ?? 0, account: '', name: '', role: '', modules: new Set(banks.flatMap((bank) => [bank, standardId(bank, 'edit')])), scopes: {}, masksNames: false }
}

/** Papers of teachers in all states: of questions of the bank alone, with own ones that wait, and with some that were read. */
export async function insertTeacherPapers(db: Database, report: (text: string) => void): Promise<void> {
  const [random, now] = [seededRandom(2003), Math.floor(Date.now() / 1000)]
  let made = 0
  await seedTransaction(db, async (tx) => {
    const staff = await reviewer(tx)
    const authors = (await tx.query<Author>(sql`select id, name, subject_id from teacher_profile where status = ${TEACHER_STATUS.certified} and deleted_at is null order by id`)).filter(({ subject_id }) => WRITTEN[subject_id % 100])
    for (const [index, author] of authors.slice(0, 26).entries()) {
      const bank = await tx.query<{ id: number; content: Record<string, unknown> }>(sql`select p.id, b.content from practice p join practice_body b on b.practice_id = p.id where p.pool = 'official' and p.status = 4 and p.subject_id = ${author.subject_id} and p.type <= 4 and p.deleted_at is null order by p.id offset ${index * 7} limit 8`)
      if (bank.length < 8) continue
      // The same question from two teachers, and one that the bank has: what a reader comes upon.
      const own = index % 3 === 0 ? [] : [...(WRITTEN[author.subject_id % 100] ?? []).slice(0, 1 + (index % 3)).map(written), ...(index % 4 === 1 ? [bank[7]?.content ?? {}] : [])]
      const items = [...bank.slice(0, 5).map(({ id }) => ({ practice_id: id, score: 5 })), ...own.map((content) => ({ content, score: 10 }))]
      const { id } = await handIn(tx, author, { name: `${author.name}的${NAMES[index % NAMES.length] ?? ''}${Math.floor(index / NAMES.length) + 1}`, shared: index % 2 === 0, client_key: `demo-${index}`, items })
      const read = own.length > 0 && index % 2 === 0
      if (read) {
        const questions = await tx.query<{ id: number }>(sql`select id from teacher_question where paper_id = ${id} order by ord`)
        for (const [at, question] of questions.entries()) await decideQuestion(tx, staff, id, question.id, at === 0 && index % 4 === 2 ? { refuse: random.pick(REFUSED) } : 'admit or reuse')
      }
      const at = now - (read || own.length === 0 ? random.int(6, 90) : random.int(0, 5)) * DAY - random.int(600, 40_000)
      const state = index % 3 === 0 ? random.pick([PAPER_STATE.shelved, PAPER_STATE.waiting, PAPER_STATE.off]) : PAPER_STATE.draft
      await tx.query(sql`update paper set handed_at = to_timestamp(${at}), created_at = to_timestamp(${at}), updated_at = to_timestamp(${at}), state = ${state}, version_no = ${state === PAPER_STATE.shelved ? 1 : 0} where id = ${id}`)
      if (state === PAPER_STATE.shelved) await tx.query(sql`insert into paper_version (paper_id, version_no, body) select paper_id, 1, body from paper_body where paper_id = ${id}`)
      await tx.query(sql`update teacher_news set at = to_timestamp(${at + DAY}), read_at = to_timestamp(${at + 2 * DAY}) where paper_id = ${id}`)
      made++
    }
  })
  report(`已生成 ${made} 份教师试卷`)
}
