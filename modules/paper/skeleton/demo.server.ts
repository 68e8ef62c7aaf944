import type { Database } from '../../../core/database/database.server.ts'
import { insertMany, seedTransaction } from '../../../core/setup/insert-many.server.ts'
import { skeleton } from './skeleton.ts'

const SECRET = '绝密★启用前'
const NOTICES = [
  '答卷前，考生务必将自己的姓名、准考证号填写在答题卡上。',
  '回答选择题时，选出每小题答案后，用铅笔把答题卡上对应题目的答案标号涂黑。如需改动，用橡皮擦干净后，再选涂其他答案标号。回答非选择题时，将答案写在答题卡上，写在本试卷上无效。',
  '考试结束后，将本试卷和答题卡一并交回。',
].join('\n')
const ONE = '在每小题给出的四个选项中，只有一项是符合题目要求的。'
const SEVERAL = '在每小题给出的选项中，有多项符合题目要求。全部选对的得6分，部分选对的得部分分，有选错的得0分。'
const WORKED = '解答应写出文字说明、证明过程或演算步骤。'

/** The examinations as they were set: numbers of questions and points are those of the papers of that year. */
const SKELETONS = [
  { name: '新高考Ⅰ卷数学（2024）', level: 0, subject_id: 1, region: '新高考Ⅰ卷', year: 2024, duration: 120, secret: SECRET, notices: NOTICES, sections: [
    { name: '单选题', count: 8, score: 5, instruction: ONE }, { name: '多选题', count: 3, score: 6, instruction: SEVERAL }, { name: '填空题', count: 3, score: 5 }, { name: '解答题', count: 5, score: 15, instruction: WORKED },
  ] },
  { name: '新高考Ⅱ卷数学（2024）', level: 0, subject_id: 1, region: '新高考Ⅱ卷', year: 2024, duration: 120, secret: SECRET, notices: NOTICES, sections: [
    { name: '单选题', count: 8, score: 5, instruction: ONE }, { name: '多选题', count: 3, score: 6, instruction: SEVERAL }, { name: '填空题', count: 3, score: 5 }, { name: '解答题', count: 5, score: 15, instruction: WORKED },
  ] },
  { name: '全国甲卷理科数学（2023）', level: 0, subject_id: 1, region: '全国甲卷', year: 2023, duration: 120, secret: SECRET, notices: NOTICES, sections: [
    { part: '第Ⅰ卷（选择题）', name: '单选题', count: 12, score: 5, instruction: ONE }, { part: '第Ⅱ卷（非选择题）', name: '填空题', count: 4, score: 5 },
    { name: '解答题', count: 5, score: 12, instruction: WORKED }, { name: '选考题', count: 1, score: 10, instruction: '请考生在两题中任选一题作答，如果多做，则按所做的第一题计分。' },
  ] },
  { name: '高中数学月考（得分表）', level: 0, subject_id: 1, region: '校内考试', year: null, duration: 120, secret: null, school: '道远中学', marks: 1, notices: '本试卷分选择题和非选择题两部分。\n答案一律写在答题卡上，写在试卷上无效。', sections: [
    { part: '第Ⅰ卷（选择题 共58分）', name: '单选题', count: 8, score: 5, instruction: ONE }, { name: '多选题', count: 3, score: 6, instruction: SEVERAL },
    { part: '第Ⅱ卷（非选择题 共92分）', name: '填空题', count: 3, score: 5 }, { name: '解答题', count: 5, score: 15.5, instruction: WORKED },
  ], status: 0 },
  { name: '河南中考数学（2023）', level: 1, subject_id: 101, region: '河南中考', year: 2023, duration: 100, secret: null, marks: 1, notices: '本试卷共6页，三个大题，满分120分，考试时间100分钟。\n本试卷上不要答题，请按答题卡上注意事项的要求直接把答案填写在答题卡上。答在试卷上的答案无效。', sections: [
    { name: '单选题', count: 10, score: 3, instruction: '下列各小题均有四个选项，其中只有一个是正确的。' }, { name: '填空题', count: 5, score: 3 }, { name: '解答题', count: 8, score: 9.5, instruction: WORKED },
  ] },
]

/** Skeletons of the demo: of examinations that were held, and one of a school that is no longer used. */
export const insertSkeletonDemo = (db: Database): Promise<void> => seedTransaction(db, async (tx) => {
  await insertMany(tx, skeleton, SKELETONS.map((one) => ({ status: 1, marks: 0, school: null, ...one })) as never)
})
