/**
 * Every screen of the console with its path and title (spec 2). A screen's place here is its module id:
 * group × 100 + n, both counted from 1. Ids are stored in the database, so this table only grows at the end of a group
 * or of the whole. A screen that no module shows yet stays out of the menu; its id is kept for it.
 */
const groups = [
  { title: '用户管理', icon: 'team', screens: [
    ['/userManagement/total', '用户总中心'],
    ['/userManagement/staff', '内部员工'],
  ] },
  { title: '课程管理', icon: 'video', screens: [
    ['/course/list', '课程列表'],
    ['/course/relation', '课程关联'],
    ['/course/comment', '课程评价'],
    ['/course/tag', '课程标签'],
    ['/course/videoManagement/:courseId', '视频管理'],
    ['/course/sections/:courseId', '章节管理'],
    ['/course/paper/list', '试卷列表'],
    ['/course/paper/index/:type/:id', '课程试卷'],
    ['/course/paper/detail/:id', '试卷详情'],
    ['/course/paper/addPractice/:id', '添加试题'],
    ['/course/users', '课程用户'],
  ] },
  { title: '假期课程', icon: 'calendar', screens: [
    ['/vacation/class', '假期班级'],
    ['/vacation/order', '假期订单'],
    ['/vacation/user', '假期用户'],
    ['/vacation/course', '假期课程'],
  ] },
  { title: '小学应用', icon: 'letters', screens: [
    ['/englishApp/textbooks', '教材管理'],
    ['/englishApp/series', '系列管理'],
    ['/englishApp/detail', '单词详情'],
    ['/englishApp/phonogram', '音标管理'],
    ['/englishApp/catalog', '教材目录'],
    ['/englishApp/phonogramcatalog', '音标目录'],
    ['/englishApp/users', '用户列表'],
    ['/englishApp/orders', '订单列表'],
    ['/englishApp/addWord', '添加单词'],
    ['/englishApp/editWord/:id', '编辑单词'],
  ] },
  { title: '课堂课程', icon: 'board', screens: [
    ['/classCourse/courseDirectories', '课程目录'],
    ['/classCourse/juniorSpecialUse', '初中专用'],
    ['/classCourse/seniorSpecialUse', '高中专用'],
    ['/classCourse/seniorPaper', '高中试卷'],
    ['/classCourse/trainingPlan', '训练计划'],
    ['/classCourse/trainingPlan/:id/tasks', '训练任务'],
    ['/classCourse/studyRoom', '自习室课程'],
  ] },
  { title: '高中同步', icon: 'book-open', screens: [
    ['/syncCourse/textbook', '教材版本'],
    ['/syncCourse/series', '系列'],
    ['/syncCourse/detail', '课程详情'],
    ['/syncCourse/catalog', '目录'],
    ['/syncCourse/user', '用户'],
    ['/syncCourse/order', '订单'],
  ] },
  { title: '初中同步', icon: 'book', screens: [
    ['/juniorSyncCourse/textbook', '教材版本'],
    ['/juniorSyncCourse/series', '系列'],
    ['/juniorSyncCourse/detail', '课程详情'],
    ['/juniorSyncCourse/catalog', '目录'],
    ['/juniorSyncCourse/user', '用户'],
    ['/juniorSyncCourse/order', '订单'],
  ] },
  { title: '初中训练营', icon: 'flag', screens: [
    ['/juniorTraining/content', '内容管理'],
    ['/juniorTraining/courseDirectories', '课程目录'],
    ['/juniorTraining/user', '用户'],
    ['/juniorTraining/order', '订单'],
  ] },
  { title: '初中进修', icon: 'rise', screens: [
    ['/juniorRefresherTraining/textbook', '教材版本'],
    ['/juniorRefresherTraining/detail', '课程详情'],
    ['/juniorRefresherTraining/catalog', '目录'],
    ['/juniorRefresherTraining/user', '用户'],
    ['/juniorRefresherTraining/order', '订单'],
  ] },
  { title: '初升高拓展', icon: 'rocket', screens: [
    ['/juniorHighEnrichment/detail', '课程详情'],
    ['/juniorHighEnrichment/catalog', '目录'],
    ['/juniorHighEnrichment/user', '用户'],
    ['/juniorHighEnrichment/order', '订单'],
  ] },
  { title: '初升高复习班', icon: 'history', screens: [
    ['/juniorHighReviewClass/detail', '课程详情'],
    ['/juniorHighReviewClass/catalog', '目录'],
    ['/juniorHighReviewClass/user', '用户'],
    ['/juniorHighReviewClass/order', '订单'],
  ] },
  { title: '精英训练营', icon: 'trophy', screens: [
    ['/excellent-training/user', '用户'],
    ['/excellent-training/order', '订单'],
    ['/excellent-training/paper', '试卷'],
    ['/excellent-training/clue', '线索'],
    ['/excellent-training/project', '项目'],
  ] },
  { title: '合伙自习室', icon: 'shop', screens: [
    ['/new-study-room/partner', '合伙人'],
    ['/new-study-room/partner-order', '合伙人订单'],
    ['/new-study-room/authorization-code', '授权码'],
    ['/new-study-room/authorization-detail', '授权码明细'],
    ['/new-study-room/school/school-list', '学校列表'],
    ['/new-study-room/school/school-teacher', '学校教师'],
    ['/new-study-room/school/school-student', '学校学生'],
    ['/new-study-room/school/school-order', '学校订单'],
    ['/new-study-room/self-study-room/list', '自习室列表'],
    ['/new-study-room/self-study-room/order', '自习室订单'],
    ['/new-study-room/self-study-room/membership-card', '会员卡'],
    ['/new-study-room/self-study-room/user', '自习室用户'],
    ['/new-study-room/self-study-room/user-order', '用户订单'],
  ] },
  { title: '自营自习室', icon: 'bank', screens: [
    ['/study-room/pad', '平板管理'],
    ['/study-room/school/list', '学校列表'],
    ['/study-room/school/user-order', '学校用户订单'],
    ['/study-room/list', '自习室列表'],
    ['/study-room/order', '订单'],
    ['/study-room/member-card', '会员卡'],
    ['/study-room/user', '用户'],
    ['/study-room/user-order', '用户订单'],
  ] },
  { title: '教辅图书', icon: 'container', screens: [
    ['/practiceBook/user', '用户'],
    ['/practiceBook/marketUser', '市场用户'],
    ['/practiceBook/marketVirtual', '市场虚拟用户'],
    ['/practiceBook/order', '订单'],
    ['/practiceBook/order/virtual', '虚拟订单'],
    ['/practiceBook/deleteOrders', '已删除订单'],
    ['/practiceBook/matter', '物料'],
    ['/practiceBook/content/training', '训练'],
    ['/practiceBook/content/ai-measurement', 'AI测评'],
    ['/practiceBook/content/combination', '组合'],
    ['/practiceBook/content/ebook/senior', '高中电子书'],
    ['/practiceBook/content/ebook/junior', '初中电子书'],
    ['/practiceBook/content/ebook/primary', '小学电子书'],
    ['/practiceBook/content/pebManage', '电子书管理'],
    ['/practiceBook/content/pebDetail', '电子书详情'],
    ['/practiceBook/content/excellentPractice', '优选题'],
    ['/practiceBook/content/gaokaoPractice', '高考题'],
    ['/practiceBook/activeCode', '激活码'],
    ['/practiceBook/activeDetail', '激活码明细'],
    ['/practiceBook/merchandise', '商品'],
    ['/practiceBook/trainMaterialEdit/:id', '训练素材编辑'],
  ] },
  { title: '题库', icon: 'database', screens: [
    ['/practice/back', '高中后台题库'],
    ['/practice/official', '高中正式题库'],
    ['/practice/backJunior', '初中后台题库'],
    ['/practice/officialJunior', '初中正式题库'],
    ['/practice/backPrimary', '小学后台题库'],
    ['/practice/officialPrimary', '小学正式题库'],
    ['/practice/practiceVerify', '试题审核'],
    ['/practice/compare', '试题比对'],
    ['/practice/labelOrder', '标签排序'],
    ['/practice/:type/:id', '高中试题编辑'],
    ['/practice/junior/:type/:id', '初中试题编辑'],
    ['/practice/primary/:type/:id', '小学试题编辑'],
    ['/practice/labels', '标签管理'],
    ['/practice/knowledge-label', '知识点标签'],
    ['/practice/ebook-catalogue-label', '电子书目录标签'],
  ] },
  { title: '伴学', icon: 'headset', screens: [
    ['/accompany/operation/teacher', '伴学教师'],
    ['/accompany/operation/student', '伴学学生'],
    ['/accompany/operation/order', '伴学订单'],
    ['/accompany/operation/class', '伴学班级'],
    ['/accompany/operation/task', '伴学任务'],
    ['/accompany/operation/report', '伴学报告'],
    ['/accompany/operation/teacher/studentCount/:stuType', '教师学生数'],
    ['/accompany/operation/teacher/amount/:amountType', '教师金额'],
    ['/accompany/tutor/student', '我的学生'],
    ['/accompany/tutor/task', '我的任务'],
    ['/accompany/tutor/student/task/:studentId', '学生任务'],
    ['/accompany/tutor/student/report/:studentId', '学生报告'],
    ['/accompany/tutor/task/content', '任务内容'],
    ['/accompany/research/material', '教研资料'],
    ['/accompany/research/material/:id', '资料详情'],
    ['/accompany/research/material/terms/:id', '资料词条'],
    ['/accompany/research/paper', '教研试卷'],
    ['/accompany/research/paper/:id', '试卷详情'],
    ['/accompany/research/paper/practices/:id', '试卷试题'],
  ] },
  { title: '尖子班', icon: 'crown', screens: [
    ['/tptrain/operation/student', '尖子生'],
    ['/tptrain/operation/task', '学习任务'],
    ['/tptrain/research/class', '班级'],
    ['/tptrain/research/class-peiyou', '培优班级'],
    ['/tptrain/research/task', '任务'],
    ['/tptrain/research/material', '资料'],
    ['/tptrain/research/paper', '试卷'],
    ['/tptrain/research/paper/:id', '试卷详情'],
    ['/tptrain/research/paper/practices/:id', '试卷试题'],
    ['/tptrain/order', '订单'],
  ] },
  { title: '运营管理', icon: 'chart', screens: [
    ['/operate/query/sn', 'SN查询'],
    ['/operate/query/validity', '有效期查询'],
    ['/operate/monitor/dataCenter', '数据中心'],
    ['/operate/questionnaire/index', '问卷调查'],
    ['/operate/monitor/index', '监控'],
    ['/operate/monitor/detail', '监控详情'],
    ['/operate/flash-sale', '限时抢购'],
    ['/operate/charity/user', '公益用户'],
    ['/operate/user/share', '用户分享'],
    ['/operate/activity', '活动'],
    ['/operate/paylink', '支付链接'],
    ['/operate/orderDetail', '订单详情'],
    ['/operate/feedback', '意见反馈'],
    ['/operate/feedbackDetail', '反馈详情'],
    ['/operate/accountMonitoring', '账号监控'],
    ['/operate/bookStoreApply', '书店申请'],
    ['/operate/teacherApply', '教师申请'],
  ] },
  { title: '教师管理', icon: 'id-card', screens: [
    ['/teacher/teacher', '教师'],
    ['/teacher/class', '班级'],
    ['/teacher/paper', '试卷'],
    ['/teacher/operation', '运营'],
  ] },
  { title: '视频评论', icon: 'comment', screens: [
    ['/comment/search', '评论查询'],
    ['/comment/search/detail', '评论详情'],
    ['/comment/search/totalDetail', '评论汇总'],
    ['/comment/manage', '评论管理'],
    ['/comment/exercises', '习题评论'],
    ['/comment/teacher', '评论教师'],
  ] },
  { title: '基础资源', icon: 'file-text', screens: [
    ['/papers/senior/base-paper', '高中基础试卷'],
    ['/papers/senior/micro-course', '高中微课'],
    ['/papers/senior/micro-paper', '高中微试卷'],
    ['/papers/junior/base-paper', '初中基础试卷'],
    ['/papers/junior/micro-course', '初中微课'],
    ['/papers/junior/micro-paper', '初中微试卷'],
    ['/papers/primary/base-paper', '小学基础试卷'],
    ['/papers/primary/micro-course', '小学微课'],
    ['/papers/primary/micro-paper', '小学微试卷'],
    ['/papers/detail/:id', '试卷详情'],
    ['/papers/juniorDetail/:id', '初中试卷详情'],
    ['/papers/primaryDetail/:id', '小学试卷详情'],
    ['/papers/addPractice/:id', '添加试题'],
    ['/papers/smart-test-paper', '智能试卷'],
  ] },
  { title: '素材库', icon: 'picture', screens: [
    ['/material/tag', '素材标签'],
    ['/material/store/video', '视频素材'],
    ['/material/store/image', '图片素材'],
    ['/material/combination', '素材组合'],
    ['/material/combination/detail/:id', '组合详情'],
  ] },
  { title: '分销', icon: 'share', screens: [
    ['/distribution/order', '分销订单'],
    ['/distribution/account/proxy', '代理账号'],
  ] },
  { title: '必刷题', icon: 'bolt', screens: [
    ['/mustPractice/paper', '必刷试卷'],
    ['/mustPractice/account', '必刷账号'],
    ['/mustPractice/order', '必刷订单'],
  ] },
  { title: '工具', icon: 'tool', screens: [
    ['/tools/index', '工具'],
  ] },
  { title: '系统管理', icon: 'setting', screens: [
    ['/system/audit', '操作日志'],
    ['/system/jobs', '任务中心'],
    ['/system/recycle', '回收站'],
    ['/system/errors', '前端错误'],
    ['/system/health', '系统状态'],
    ['/system/role-template', '角色模板'],
    ['/system/announcement', '公告管理'],
    ['/system/security', '安全日志'],
  ] },
] as const

export type ScreenPath = (typeof groups)[number]['screens'][number][0]

/** Pages of one record whose list is not above them in their address, and the list that stands for them in the menu; {name} is a parameter of the address. */
const lists: Partial<Record<ScreenPath, ScreenPath | `${string}{${string}}${string}`>> = {
  '/course/videoManagement/:courseId': '/course/list',
  '/course/sections/:courseId': '/course/list',
  '/course/paper/index/:type/:id': '/course/paper/list',
  '/course/paper/detail/:id': '/course/paper/list',
  '/course/paper/addPractice/:id': '/course/paper/list',
  '/englishApp/editWord/:id': '/englishApp/detail',
  '/practice/:type/:id': '/practice/{type}',
  '/practice/junior/:type/:id': '/practice/{type}Junior',
  '/practice/primary/:type/:id': '/practice/{type}Primary',
  '/papers/detail/:id': '/papers/senior/base-paper',
  '/papers/juniorDetail/:id': '/papers/junior/base-paper',
  '/papers/primaryDetail/:id': '/papers/primary/base-paper',
  '/papers/addPractice/:id': '/papers/senior/base-paper',
}

export interface Screen {
  readonly id: number
  readonly path: string
  readonly title: string
  /** Screen that stands for it in the menu. */
  readonly activeMenu?: string
}

export interface ScreenGroup {
  readonly id: number
  readonly title: string
  /** Name of its picture in the menu. */
  readonly icon: string
  readonly screens: readonly Screen[]
}

export const screenGroups: readonly ScreenGroup[] = groups.map((group, g) => ({
  id: g + 1,
  title: group.title,
  icon: group.icon,
  screens: group.screens.map(([path, title], n) => {
    const activeMenu = lists[path]
    return { id: (g + 1) * 100 + n + 1, path, title, ...(activeMenu && { activeMenu }) }
  }),
}))

const byPath = new Map(screenGroups.flatMap((group) => group.screens).map((screen) => [screen.path, screen]))

/** Module id of a screen. */
export function screenId(path: ScreenPath): number {
  return byPath.get(path)?.id ?? 0
}

/** All screens, in the order of the menu. */
export const screens: readonly Screen[] = [...byPath.values()]
