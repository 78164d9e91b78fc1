require('report')
