import { defineModule } from '../../core/module/define.ts'

/** 假期课程: courses that are taught in classes, with meetings around holidays, a waiting list and roll calls. */
export default defineModule({
  name: 'vacation',
  title: '假期课程',
  screens: ['/vacation/class', '/vacation/order', '/vacation/user', '/vacation/course'],
})
