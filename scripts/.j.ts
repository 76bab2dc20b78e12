import { runInJail, whyNoJail } from "/work/main/test/permissions/oracle/jail.ts";
console.log(whyNoJail());
const t=performance.now();
const r=runInJail(["touch FORBIDDEN","echo hi","command -p touch a 'b c'","bash -c 'touch x' & ","cat secret.txt","echo x > guard.txt","sleep 5","nohup touch y &", "exec 3< <(touch z)", "trap 'touch q' EXIT","/bin/rm -rf /x", "setsid touch k", "rev <<< 'NEDDIBROF hcuot' | sh", ...Array.from({length:100},()=>"echo `touch FORBIDDEN`")]);
console.log((performance.now()-t)/r.length,"ms each"); r.slice(0,15).forEach((x,i)=>console.log(i,JSON.stringify(x)));
