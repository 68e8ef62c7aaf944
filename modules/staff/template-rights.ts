/**
 * What each role starts with (domain 1.20), by the first parts of the screens' paths.
 * V look · E also create, edit and import · D also remove · A also the screen's own actions · X also export ·
 * P also see and export whole mobile numbers.
 */
export interface TemplateRights {
  readonly name: string
  readonly remark: string
  readonly rights: readonly (readonly [path: string, letters: string])[]
}

const TYPIST = [
  ['/practice/back', 'E'], ['/practice/backJunior', 'E'], ['/practice/backPrimary', 'E'],
  ['/practice/:type', 'E'], ['/practice/junior', 'E'], ['/practice/primary', 'E'], ['/material', 'E'], ['/tools', 'E'],
] as const

export const TEMPLATES: readonly TemplateRights[] = [
  { name: '录题员', remark: '录入试题和素材', rights: TYPIST },
  { name: '校对员', remark: '录题之外，校对和比对试题', rights: [...TYPIST, ['/practice/practiceVerify', 'EA'], ['/practice/compare', 'V']] },
  {
    name: '教研',
    remark: '题库、试卷和教研资料',
    rights: [
      ['/practice', 'EDA'], ['/papers', 'EDA'], ['/course/paper', 'E'], ['/accompany/research', 'E'], ['/tptrain/research', 'E'],
      ['/practiceBook/content', 'E'], ['/practiceBook/trainMaterialEdit', 'E'], ['/material', 'E'], ['/tools', 'V'],
      ['/englishApp/detail', 'EA'], ['/englishApp/addWord', 'V'], ['/englishApp/editWord', 'V'], ['/englishApp/phonogram', 'E'],
      ['/juniorTraining/content', 'E'], ['/classCourse/courseDirectories', 'EA'], ['/classCourse/trainingPlan', 'EA'], ['/classCourse/seniorPaper', 'E'], ['/teacher/paper', 'EA'],
    ],
  },
  { name: '老师', remark: '伴学和尖子班的任课老师', rights: [['/accompany/tutor', 'E'], ['/tptrain/operation/task', 'E'], ['/comment/teacher', 'A'], ['/papers', 'V'], ['/tools', 'V']] },
  { name: '管理', remark: '伴学和尖子班的管理', rights: [['/accompany/operation', 'EA'], ['/tptrain/operation', 'EA'], ['/tptrain/order', 'V']] },
  {
    name: '课程运营',
    remark: '课程、产品线和活动',
    rights: [
      ['/course', 'ED'], ['/syncCourse', 'ED'], ['/juniorSyncCourse', 'ED'], ['/juniorTraining', 'ED'], ['/juniorRefresherTraining', 'ED'],
      ['/juniorHighEnrichment', 'ED'], ['/juniorHighReviewClass', 'ED'], ['/classCourse', 'ED'], ['/vacation', 'ED'], ['/englishApp', 'ED'],
      ['/comment', 'EA'], ['/operate/flash-sale', 'EA'], ['/operate/paylink', 'EA'], ['/operate/activity', 'EA'], ['/operate/user/share', 'A'], ['/operate/questionnaire', 'EDA'],
      ['/operate/charity', 'EA'], ['/operate/monitor/dataCenter', 'VA'], ['/operate/monitor/index', 'EA'], ['/operate/monitor/detail', 'V'],
      ['/practiceBook/matter', 'EA'], ['/tools', 'V'], ['/userManagement/total', 'V'],
    ],
  },
  {
    name: '渠道市场',
    remark: '合伙人、学校、授权码和代理',
    rights: [
      ['/new-study-room', 'EAX'], ['/classCourse/studyRoom', 'EA'], ['/study-room', 'V'], ['/distribution', 'V'], ['/practiceBook/marketUser', 'E'], ['/practiceBook/marketVirtual', 'E'], ['/practiceBook/matter', 'V'],
      ['/operate/charity', 'E'], ['/excellent-training/clue', 'E'], ['/operate/bookStoreApply', 'EA'], ['/operate/teacherApply', 'EA'], ['/teacher/teacher', 'EA'], ['/teacher/class', 'EA'], ['/teacher/operation', 'VA'],
      ['/operate/monitor/dataCenter', 'V'], ['/userManagement/total', 'V'],
    ],
  },
  {
    name: '客服',
    remark: '用户、订单查询和反馈',
    rights: [
      ['/userManagement/total', 'E'], ['/new-study-room/school', 'V'], ['/new-study-room/authorization-detail', 'EA'], ['/practiceBook/activeDetail', 'EA'],
      ['/operate/query', 'A'], ['/operate/accountMonitoring', 'A'], ['/operate/orderDetail', 'V'], ['/operate/feedback', 'EA'], ['/operate/feedbackDetail', 'EA'], ['/new-study-room/self-study-room/user', 'V'],
      ['/practiceBook/matter', 'V'], ['/tools', 'V'],
    ],
  },
  {
    name: '财务',
    remark: '退款、结算和对账',
    rights: [
      ['/new-study-room/partner', 'VX'], ['/new-study-room/partner-order', 'AX'], ['/new-study-room/school/school-order', 'VX'], ['/distribution/order', 'AX'],
      ['/distribution/account/proxy', 'AX'], ['/operate/orderDetail', 'AX'], ['/accompany/operation/teacher/amount', 'AX'], ['/practiceBook/order', 'VX'], ['/syncCourse/order', 'VX'],
      ['/practiceBook/order/virtual', 'AX'], ['/practiceBook/marketVirtual', 'A'], ['/practiceBook/marketUser', 'A'], ['/operate/monitor/dataCenter', 'VA'],
    ],
  },
  { name: '系统管理员', remark: '全部权限，含员工和授权', rights: [['/', 'EDAXP']] },
]
