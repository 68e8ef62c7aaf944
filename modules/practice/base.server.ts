import { sql } from 'drizzle-orm'
import type { Database } from '../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../core/setup/insert-many.server.ts'
import { insertNodes } from '../../core/tree/change.server.ts'
import { practiceCategory } from './bank/category.ts'
import { knowledgeLabel, practiceLabel } from './label/label.ts'

/** Kinds of questions by subject, as teachers call them; the number is the structure below (spec 9). Keys are a subject's last two digits. */
const CATEGORIES: Readonly<Record<number, readonly (readonly [name: string, type: 1 | 2 | 3 | 4 | 5 | 6])[]>> = {
  1: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['解答题', 4], ['证明题', 4], ['作图题', 4], ['材料题', 6]],
  2: [['单项选择', 1], ['语法填空', 5], ['完形填空', 5], ['七选五', 5], ['阅读理解', 6], ['任务型阅读', 6], ['听力', 6], ['短文改错', 4], ['句型转换', 3], ['单词拼写', 3], ['书面表达', 4]],
  3: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['实验题', 4], ['计算题', 4], ['作图题', 4], ['综合题', 6]],
  4: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['实验探究题', 4], ['计算题', 4], ['推断题', 4], ['综合题', 6]],
  5: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['实验题', 4], ['非选择题', 4], ['材料题', 6]],
  6: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['综合题', 4], ['材料题', 6]],
  7: [['单选题', 1], ['判断题', 1], ['名篇名句默写', 3], ['字词填空', 3], ['语言文字运用', 4], ['现代文阅读', 6], ['文言文阅读', 6], ['古代诗歌阅读', 6], ['作文', 4]],
  8: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['填空题', 3], ['论述题', 4], ['材料题', 6]],
  9: [['单选题', 1], ['多选题', 2], ['综合题', 4]],
  10: [['单选题', 1], ['多选题', 2], ['判断题', 1], ['简答题', 4], ['论述题', 4], ['材料题', 6]],
}

/** domain 1.11: groups that the labels of questions are kept in. */
const GROUPS = ['能力', '方法', '易错', '场景', '专题']

/**
 * The roots that trees begin with: one of knowledge for each subject, and the five groups of question labels. Roots of
 * the eight senior subjects have the ids of the spec's category map (spec 9), which the subjects carry already.
 */
export async function insertPracticeBase(db: Database): Promise<void> {
  const subjects = await db.query<{ id: number; name: string; root_label_id: number | null; sort: number }>(sql`select id, name, root_label_id, sort from subject order by id`)
  await seedTransaction(db, async (tx) => {
    const root = (subject: (typeof subjects)[number]) => ({ kind: 'knowledge' as const, subject_id: subject.id, name: subject.name })
    const given = subjects.flatMap((subject) => (subject.root_label_id === null ? [] : [{ ...root(subject), id: subject.root_label_id }]))
    await insertNodes(tx, knowledgeLabel, given)
    // Generated ids begin behind the highest of those that are given.
    await tx.query(sql`select setval(pg_get_serial_sequence('label', 'id'), (select coalesce(max(id), 1) from label))`)
    await insertNodes(tx, knowledgeLabel, subjects.filter((subject) => subject.root_label_id === null).map(root))
    await insertNodes(tx, practiceLabel, subjects.flatMap((subject) => GROUPS.map((name) => ({ kind: 'practice' as const, subject_id: subject.id, name }))))
    await insertMany(tx, practiceCategory, subjects.flatMap((subject) => (CATEGORIES[subject.id % 100] ?? []).map(([name, type], index) => ({ subject_id: subject.id, name, type, sort: (index + 1) * 10, status: 1 }))))
  })
}
