import type { CompanionKind } from '../companion/module.ts'

/** 尖子班: selected learners in classes that follow one plan, measured against each other (domain 1.13). */
export const TOP_TRAINING: CompanionKind = {
  value: 'qb_train', label: '尖子班', learner: '尖子生', line: 'tptrain', base: '/daoyuan/api/end/qb_train', taskPath: 'virtual_class/tasks', ranked: true,
  screens: {
    students: '/tptrain/operation/student', orders: '/tptrain/order', tasks: '/tptrain/operation/task', templates: '/tptrain/research/task', packs: '/tptrain/research/material',
    classes: [
      { category: 'top', label: '尖子班级', screen: '/tptrain/research/class', path: 'research/classes' },
      { category: 'talent', label: '培优班级', screen: '/tptrain/research/class-peiyou', path: 'research/talent_classes' },
    ],
    papers: { list: '/tptrain/research/paper', detail: '/tptrain/research/paper/:id', add: '/tptrain/research/paper/practices/:id' },
  },
}
