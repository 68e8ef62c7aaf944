import { toggle } from '../../core/field/choice.ts'
import { computed } from '../../core/field/json.ts'
import { number } from '../../core/field/number.ts'
import { reference } from '../../core/field/reference.ts'
import { text } from '../../core/field/text.ts'
import { api, defineResource, type Resource } from '../../core/resource/define.ts'
import { defineCourseLine, lineResources } from '../offer/module.ts'
import { screenId, screenPath } from '../screens.ts'
import { VACATION_LINE } from './row.ts'
import { defineVacationClass } from './vacation-class.ts'

/** What an order of the line adds: the class that is joined, or waited for. */
export const vacationEnrolment = defineResource({
  name: 'vacation_enrolment',
  label: '报名',
  title: 'class_id',
  grant: screenId('/vacation/order'),
  api: api('/daoyuan/api/end/vacation', 'enrolments', 'enrolments'),
  fields: {
    class_id: reference('班级', () => vacationClass, { required: true, onRemove: 'keep' }),
    may_wait: toggle('接受候补', { on: '是', off: '否' }, { required: true, initial: 0, help: '班级满员时先排队，有空位自动入班' }),
  },
  list: { columns: ['class_id', 'may_wait'], filters: ['class_id', 'may_wait'] },
  scope: { subject: 'class_id.offer_id.subject_id', level: 'class_id.offer_id.subject_id.level' },
  without: ['create', 'update', 'edit', 'remove'],
})

/** The line with what follows from its row. */
export const vacationLine = defineCourseLine(VACATION_LINE, (path) => screenId(screenPath(path)), {
  offer: {
    path: 'courses',
    fields: { season: text('期次', { max: 20, example: '2026 暑假一期' }), lesson_count: number('课次数', { min: 1, max: 100, unit: '次' }), class_cnt: computed('班级数') },
    columns: ['season', 'lesson_count', 'class_cnt'],
    filters: ['season'],
    inputs: ['season', 'lesson_count'],
  },
  order: () => ({ side: vacationEnrolment, inputFields: ['class_id', 'may_wait'], columns: ['class_id'], filters: ['class_id'] }),
  learner: { fields: { class_names: computed('班级', 'text'), attendance: computed('出勤率', 'text') }, columns: ['class_names', 'attendance'] },
})

/** The classes of its courses. */
export const vacationClass = defineVacationClass(() => vacationLine.offers)

/** Its kinds of records. @public tables are made from what files export */
export const vacationResources: readonly Resource[] = lineResources(vacationLine)
