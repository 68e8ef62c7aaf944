import { PRODUCT_LINES } from '../reference/module.ts'

/** Lines of products that can be opened for a user: those of spec 2 with courses, and the businesses beside them. */
export const ENTITLEMENT_LINES = [
  ...PRODUCT_LINES.map(({ code, name }) => ({ value: code, label: name })),
  { value: 'study_room', label: '自习室' },
  { value: 'practice_book', label: '教辅图书' },
  { value: 'lesson', label: '课程' },
  { value: 'class_course', label: '课堂课程' },
  { value: 'vacation', label: '假期课程' },
  { value: 'excellent_training', label: '精英训练营' },
  { value: 'accompany', label: '伴学' },
  { value: 'tptrain', label: '尖子班' },
  { value: 'must_practice', label: '必刷题' },
  { value: 'teacher', label: '教师' },
]
